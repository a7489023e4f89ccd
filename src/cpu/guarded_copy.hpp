// Copies that survive SIGSEGV and SIGBUS and report the item that faulted.
#pragma once

#include <atomic>
#include <convoy/copy.hpp>
#include <convoy/reduction.hpp>
#include <convoy/status.hpp>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/mutex.hpp"
#include "cpu/kernels.hpp"

namespace convoy::cpu {

// An access that faulted.
struct access_fault {
  copy_side side = copy_side::none;
  const void* address = nullptr;  // the first of the range in a page that is not accessible
  std::size_t bytes = 0;          // of the copy or row
};

// The fault of a copy at an address, as run_guarded() reports it.
[[nodiscard]] access_fault fault_of(const copy& c, const void* address) noexcept;

// The lowest item that failed. Thread-safe.
class lowest_failed_item {
 public:
  void record(std::size_t item, const access_fault& fault) noexcept;
  [[nodiscard]] bool any() const noexcept { return item() != SIZE_MAX; }
  [[nodiscard]] std::size_t item() const noexcept { return item_.load(std::memory_order_relaxed); }

  // For use when all threads have finished. The fault of the lowest item, and the same as a status.
  [[nodiscard]] access_fault fault() const noexcept;
  [[nodiscard]] status outcome() const noexcept;

  // True when so many have failed that those from `item` on are left out, because the status names
  // a lower one. Bounds the time that a box of unmapped rows takes.
  [[nodiscard]] bool leaves_out(std::size_t item) const noexcept {
    return count_.load(std::memory_order_relaxed) >= max_failures && item >= this->item();
  }

 private:
  static constexpr std::size_t max_failures = 64;
  std::atomic<std::size_t> item_ = SIZE_MAX;
  std::atomic<std::size_t> count_ = 0;
  mutable mutex mutex_;
  access_fault fault_ CONVOY_GUARDED_BY(mutex_);
};

// Copies every item of [first, last) that does not fault, and records the others.
void copy_range(std::span<const copy> copies, std::size_t first, std::size_t last,
                kernel_choice kernel, lowest_failed_item& failed);

// False when an access faulted; `*address` is then the address as run_guarded() reports it.
bool copy_guarded(const copy& c, store_kind stores, const void** address);
bool reduce_guarded(const reduction& work, const void** address);

}  // namespace convoy::cpu
