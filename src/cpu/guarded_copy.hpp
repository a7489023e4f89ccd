// Copies that survive SIGSEGV and SIGBUS and report the item that faulted.
#pragma once

#include <atomic>
#include <convoy/copy.hpp>
#include <convoy/reduction.hpp>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cpu/kernels.hpp"

namespace convoy::cpu {

// The lowest item that failed. Thread-safe.
class lowest_failed_item {
 public:
  void record(std::size_t item) noexcept {
    count_.fetch_add(1, std::memory_order_relaxed);
    std::size_t known = item_.load(std::memory_order_relaxed);
    while (item < known && !item_.compare_exchange_weak(known, item, std::memory_order_relaxed)) {
    }
  }
  [[nodiscard]] bool any() const noexcept { return item() != SIZE_MAX; }
  [[nodiscard]] std::size_t item() const noexcept { return item_.load(std::memory_order_relaxed); }

  // True when so many have failed that those from `item` on are left out, because the status names
  // a lower one. Bounds the time that a box of unmapped rows takes.
  [[nodiscard]] bool leaves_out(std::size_t item) const noexcept {
    return count_.load(std::memory_order_relaxed) >= max_failures && item >= this->item();
  }

 private:
  static constexpr std::size_t max_failures = 64;
  std::atomic<std::size_t> item_ = SIZE_MAX;
  std::atomic<std::size_t> count_ = 0;
};

// Copies every item of [first, last) that does not fault, and records the others.
void copy_range(std::span<const copy> copies, std::size_t first, std::size_t last,
                kernel_choice kernel, lowest_failed_item& failed);

// False when an access faulted.
bool copy_guarded(void* dst, const void* src, std::size_t bytes, store_kind stores);
bool reduce_guarded(const reduction& work);

}  // namespace convoy::cpu
