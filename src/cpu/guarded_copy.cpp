#include "cpu/guarded_copy.hpp"

#include "os/fault_guard.hpp"
#include "os/fp_environment.hpp"

namespace convoy::cpu {
namespace {

// Items one by one until one fails: neighbours that were copied as one have to be told apart.
// Answers the item after the failed one.
std::size_t find_culprit(std::span<const copy> copies, std::size_t from, std::size_t last,
                         blame& failed) {
  for (std::size_t item = from; item != last; ++item) {
    const copy& c = copies[item];
    if (copy_guarded(c.dst, c.src, c.bytes, stores::ordinary)) continue;
    failed.on(item);
    return item + 1;
  }
  return last;
}

}  // namespace

void copy_range(std::span<const copy> copies, std::size_t first, std::size_t last,
                kernel_choice how, blame& failed) {
  while (first != last) {
    volatile std::size_t at = first;
    const auto body = [&] { copy_scattered(copies, first, last, how, &at); };
    if (os::run_guarded(body)) return;
    first = find_culprit(copies, at, last, failed);
  }
}

bool copy_guarded(void* dst, const void* src, std::size_t bytes, stores how) {
  const auto body = [=] { copy_piece(dst, src, bytes, how); };
  return os::run_guarded(body);
}

bool reduce_guarded(const reduction& what) {
  // Whoever waits for a stream may run its steps, and what comes of them is the same.
  const os::plain_arithmetic here;
  const auto body = [&] { reduce(what); };
  return os::run_guarded(body);
}

}  // namespace convoy::cpu
