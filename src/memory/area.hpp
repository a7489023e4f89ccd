// A stretch of reserved addresses cut into granules, with a table that answers for each granule
// which allocation it belongs to in one load.
//
// A table word holds how many granules back the allocation starts and how many bytes it has, so a
// lookup follows no pointer. Words are written under the owner's lock and read without it.
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

// Word: how a table word is cut up. SizeBits for the bytes, the rest for the granules back.
template <class Word, unsigned GranuleShift, unsigned SizeBits>
class area {
 public:
  static constexpr std::size_t granule = std::size_t{1} << GranuleShift;
  static constexpr std::size_t largest = (std::size_t{1} << SizeBits) - 1;
  static constexpr unsigned back_bits = 8 * sizeof(Word) - SizeBits;

  // `view` is where the engine reaches the memory; pages are opened as they are needed.
  area(std::byte* view, std::size_t bytes);
  ~area();
  area(const area&) = delete;
  area& operator=(const area&) = delete;

  // Offset of a new allocation; none when there is no room.
  std::optional<std::size_t> allocate(std::size_t bytes);

  // Offset of a new allocation that starts `into_page` bytes into a page and shares no page with
  // another; its pages are the caller's to map.
  std::optional<std::size_t> allocate_pages(std::size_t bytes, std::size_t into_page);
  void reclaim_pages(extent gone);

  // The whole pages that hold an allocation of allocate_pages().
  static extent pages_of(extent what);

  // From now on lookups do not find it; its addresses are not handed out again before reclaim().
  void retire(extent gone);
  void reclaim(extent gone);

  // The live allocation that holds the byte at `offset`.
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
  void write(extent range, bool live);

  std::byte* const view_;
  const std::size_t size_;
  std::atomic<Word>* table_;
  std::atomic<std::size_t> opened_ = 0;  // granules whose pages and table words are usable
  range_allocator ranges_;
};

// Many small allocations, packed; and large ones, for which a word per 256 bytes would be too many.
using small_area = area<std::uint32_t, 8, 20>;
using large_area = area<std::uint64_t, 16, 40>;

extern template class area<std::uint32_t, 8, 20>;
extern template class area<std::uint64_t, 16, 40>;

}  // namespace convoy::memory
