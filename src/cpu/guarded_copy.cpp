#include "cpu/guarded_copy.hpp"

#include <algorithm>

#include "os/fault_guard.hpp"
#include "os/fp_environment.hpp"

namespace convoy::cpu {
namespace {

constexpr std::uintptr_t page_bytes = 4096;
constexpr unsigned user_address_bits = 47;

// Copies items one by one until one fails, because the kernel merges adjacent copies and does not
// know which of them faulted. Returns the item after the failed one.
std::size_t find_failed_item(std::span<const copy> copies, std::size_t from, std::size_t last,
                             lowest_failed_item& failed) {
  for (std::size_t item = from; item != last; ++item) {
    const copy& c = copies[item];
    const void* address = nullptr;
    if (copy_guarded(c, store_kind::ordinary, &address)) continue;
    failed.record(item, fault_of(c, address));
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

bool copy_guarded(const copy& c, store_kind stores, const void** address) {
  const auto body = [=] { copy_piece(c.dst, c.src, c.bytes, stores); };
  return os::run_guarded(body, address);
}

bool reduce_guarded(const reduction& work, const void** address) {
  // Any waiting thread may run the step: the result must not depend on its floating-point
  // environment.
  const os::default_fp_environment default_environment;
  const auto body = [&] { reduce(work); };
  return os::run_guarded(body, address);
}

access_fault fault_of(const copy& c, const void* address) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const auto page_start = at / page_bytes * page_bytes;
  const auto found_in = [&](const void* start) {
    return at - reinterpret_cast<std::uintptr_t>(start) < c.bytes;
  };
  const auto first_in = [&](const void* start) {
    return reinterpret_cast<const void*>(
        std::max(page_start, reinterpret_cast<std::uintptr_t>(start)));
  };
  if (found_in(c.src)) return {copy_side::source, first_in(c.src), c.bytes};
  if (found_in(c.dst)) return {copy_side::destination, first_in(c.dst), c.bytes};
  // The CPU reports no address for one that is outside of the address space.
  const bool bad_source = reinterpret_cast<std::uintptr_t>(c.src) >> user_address_bits != 0;
  if (bad_source) return {copy_side::source, c.src, c.bytes};
  return {copy_side::destination, c.dst, c.bytes};
}

void lowest_failed_item::record(std::size_t item, const access_fault& fault) noexcept {
  count_.fetch_add(1, std::memory_order_relaxed);
  const lock held(mutex_);
  if (item >= this->item()) return;
  item_.store(item, std::memory_order_relaxed);
  fault_ = fault;
}

access_fault lowest_failed_item::fault() const noexcept {
  const lock held(mutex_);
  return fault_;
}

status lowest_failed_item::outcome() const noexcept {
  if (!any()) return {};
  const access_fault found = fault();
  return {errc::fault, found.side, item(), found.address, found.bytes};
}

}  // namespace convoy::cpu
