// A range of reserved addresses, divided into granules, with a table that maps each granule to its
// allocation in one load.
//
// A table word holds the distance in granules to the start of the allocation, and its size in
// bytes, so a lookup follows no pointer. Words are written under the arena's lock and read without
// it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "memory/range_allocator.hpp"

namespace convoy::memory {

// An allocation inside an area, by offset.
struct extent {
  std::size_t start = 0;
  std::size_t bytes = 0;
};

// A table word has SizeBits for the size and the remaining bits for the distance to the start.
template <class Word, unsigned GranuleShift, unsigned SizeBits>
class area {
 public:
  static constexpr std::size_t granule = std::size_t{1} << GranuleShift;
  static constexpr std::size_t largest = (std::size_t{1} << SizeBits) - 1;
  static constexpr unsigned back_bits = 8 * sizeof(Word) - SizeBits;

  // `view` is the engine's address of the memory; pages are committed when they are needed.
  area(std::byte* view, std::size_t bytes);
  ~area();
  area(const area&) = delete;
  area& operator=(const area&) = delete;

  // Offset of a new allocation; none when no free range is large enough.
  std::optional<std::size_t> allocate(std::size_t bytes);

  // Offset of a new allocation that starts `into_page` bytes into a page and shares no page with
  // another one. The caller maps its pages.
  std::optional<std::size_t> allocate_pages(std::size_t bytes, std::size_t into_page);
  void reclaim_pages(extent freed);

  // The whole pages that hold an allocation of allocate_pages().
  static extent pages_of(extent allocation);

  // Removes the allocation from lookups; its addresses are not reused before reclaim().
  void retire(extent freed);
  void reclaim(extent freed);

  // The live allocation that contains the byte at `offset`.
  [[nodiscard]] std::optional<extent> find(std::size_t offset) const noexcept {
    const std::size_t index = offset >> GranuleShift;
    if (index >= opened_.load(std::memory_order_acquire)) return {};  // stored by open()
    const Word word = table_[index].load(std::memory_order_relaxed);
    const std::size_t start = (index - static_cast<std::size_t>(word >> SizeBits)) << GranuleShift;
    const std::size_t bytes = static_cast<std::size_t>(word & largest);
    if (offset - start >= bytes) return {};
    return extent{start, bytes};
  }

 private:
  static std::size_t granules(std::size_t bytes) { return (bytes + granule - 1) >> GranuleShift; }
  bool open(std::size_t granules);
  void write(extent range, bool allocated);

  std::byte* const view_;
  const std::size_t size_;
  std::atomic<Word>* table_;
  std::atomic<std::size_t> opened_ = 0;  // granules whose pages and table words are committed
  range_allocator ranges_;
};

// Granules of 256 bytes for small allocations and of 64 KiB for large ones, which keeps the table
// of large ones small.
using small_area = area<std::uint32_t, 8, 20>;
using large_area = area<std::uint64_t, 16, 40>;

extern template class area<std::uint32_t, 8, 20>;
extern template class area<std::uint64_t, 16, 40>;

}  // namespace convoy::memory
