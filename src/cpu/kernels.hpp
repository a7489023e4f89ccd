// The copy, fill and reduce loops, and the rule that chooses among them.
//
// Kernels hold no locks and own nothing, so a fault handler may leave them by siglongjmp at any
// instruction. They read only inside a source and write only inside a destination; prefetches may
// use any address. A copy whose source and destination overlap writes unspecified bytes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "convoy/copy.hpp"
#include "convoy/reduction.hpp"
#include "model/copy_totals.hpp"
#include "os/cpu_features.hpp"

namespace convoy::cpu {

enum class store_kind : std::uint8_t { ordinary, non_temporal };

// The properties of a batch that the choice of a kernel depends on.
struct batch_shape {
  std::size_t count = 0;
  copy_totals totals;

  void add(const copy& c) noexcept {
    ++count;
    totals.add(c);
  }
};

// The cache level that a prefetch targets.
enum class cache_level : std::uint8_t { l1, l2 };

// `prefetch_distance` is the number of copies between the current one and the one whose first
// `prefetch_bytes` are prefetched; 0: no prefetch.
struct kernel_choice {
  store_kind stores = store_kind::ordinary;
  std::uint8_t prefetch_distance = 0;
  std::uint16_t prefetch_bytes = 0;
  cache_level prefetch_to = cache_level::l1;

  friend bool operator==(const kernel_choice&, const kernel_choice&) = default;
};

// The rule, and the measurements behind it, are in kernels.cpp.
[[nodiscard]] kernel_choice choose(const batch_shape& shape, const os::processor& cpu) noexcept;

// Copies items [first, last), adjacent ones merged. At a fault every item before `*progress` has
// landed; the item that faulted is that one or a later one. Otherwise, all bytes are visible to
// threads that synchronize with the caller afterwards.
void copy_scattered(std::span<const copy> copies, std::size_t first, std::size_t last,
                    kernel_choice choice, volatile std::size_t* progress) noexcept;

// One copy, or a piece of one. Visible as above.
void copy_piece(void* dst, const void* src, std::size_t bytes, store_kind stores) noexcept;

// The word that repeats `value`, 1, 2 or 4 bytes wide.
[[nodiscard]] constexpr std::uint32_t repeated(std::uint32_t value, unsigned width) noexcept {
  if (width == 1) return (value & 0xffU) * 0x01010101U;
  if (width == 2) return (value & 0xffffU) * 0x00010001U;
  return value;
}

// Rows a pitch apart. The word is repeated from the start of each row, at any alignment; the last
// word may be partial.
struct row_fill {
  void* first = nullptr;
  std::size_t pitch = 0;
  std::size_t rows = 1;
  std::size_t bytes = 0;  // of a row
  std::uint32_t word = 0;
};

// At a fault `*progress` is the row that faulted, counted from 0. Visible as above.
void fill(const row_fill& work, store_kind stores, volatile std::size_t* progress) noexcept;

// A reduction, or a piece of one. Uses the floating-point environment of the thread.
void reduce(const reduction& work) noexcept;

}  // namespace convoy::cpu
