#include "cpu/guarded_copy.hpp"

#include "os/fault_guard.hpp"
#include "os/fp_environment.hpp"

namespace convoy::cpu {
namespace {

// Copies items one by one until one fails, because the kernel merges adjacent copies and does not
// know which of them faulted. Returns the item after the failed one.
std::size_t find_failed_item(std::span<const copy> copies, std::size_t from, std::size_t last,
                             lowest_failed_item& failed) {
  for (std::size_t item = from; item != last; ++item) {
    const copy& c = copies[item];
    if (copy_guarded(c.dst, c.src, c.bytes, store_kind::ordinary)) continue;
    failed.record(item);
    return item + 1;
  }
  return last;
}

}  // namespace

void copy_range(std::span<const copy> copies, std::size_t first, std::size_t last,
                kernel_choice kernel, lowest_failed_item& failed) {
  while (first != last) {
    volatile std::size_t at = first;
    const auto body = [&] { copy_scattered(copies, first, last, kernel, &at); };
    if (os::run_guarded(body)) return;
    first = find_failed_item(copies, at, last, failed);
  }
}

bool copy_guarded(void* dst, const void* src, std::size_t bytes, store_kind stores) {
  const auto body = [=] { copy_piece(dst, src, bytes, stores); };
  return os::run_guarded(body);
}

bool reduce_guarded(const reduction& work) {
  // Any waiting thread may run the step: the result must not depend on its floating-point
  // environment.
  const os::default_fp_environment default_environment;
  const auto body = [&] { reduce(work); };
  return os::run_guarded(body);
}

}  // namespace convoy::cpu
