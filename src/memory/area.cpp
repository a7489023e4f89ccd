#include "memory/area.hpp"

#include <algorithm>

#include "os/pages.hpp"

namespace convoy::memory {
namespace {

// Pages are committed in steps, so that neighbours share one mapping and its huge pages.
constexpr std::size_t commit_step = std::size_t{64} << 20;
constexpr std::size_t page = 4096;

std::size_t round_up(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

}  // namespace

template <class Word, unsigned GranuleShift, unsigned SizeBits>
area<Word, GranuleShift, SizeBits>::area(std::byte* view, std::size_t bytes)
    : view_(view),
      size_(bytes),
      table_(static_cast<std::atomic<Word>*>(
          os::reserve(round_up((bytes >> GranuleShift) * sizeof(Word), os::huge_page)))),
      ranges_(table_ == nullptr ? 0 : bytes >> GranuleShift) {}

template <class Word, unsigned GranuleShift, unsigned SizeBits>
area<Word, GranuleShift, SizeBits>::~area() {
  if (table_ == nullptr) return;
  os::unmap_pages(table_, round_up((size_ >> GranuleShift) * sizeof(Word), os::huge_page));
}

template <class Word, unsigned GranuleShift, unsigned SizeBits>
std::optional<std::size_t> area<Word, GranuleShift, SizeBits>::allocate(std::size_t bytes) {
  if (bytes > largest || granules(bytes) >= std::size_t{1} << back_bits) return {};
  const auto at = ranges_.take(granules(bytes));
  if (!at) return {};
  if (!open(*at + granules(bytes))) {
    ranges_.give(*at, granules(bytes));
    return {};
  }
  const extent made{*at << GranuleShift, bytes};
  write(made, true);
  return made.start;
}

template <class Word, unsigned GranuleShift, unsigned SizeBits>
extent area<Word, GranuleShift, SizeBits>::pages_of(extent allocation) {
  constexpr std::size_t unit = std::max(page, granule);
  const std::size_t start = allocation.start / unit * unit;
  return {start, round_up(allocation.start + allocation.bytes, unit) - start};
}

template <class Word, unsigned GranuleShift, unsigned SizeBits>
std::optional<std::size_t> area<Word, GranuleShift, SizeBits>::allocate_pages(
    std::size_t bytes, std::size_t into_page) {
  const std::size_t span = pages_of({into_page, bytes}).bytes;
  if (bytes > largest || granules(span) >= std::size_t{1} << back_bits) return {};
  constexpr std::size_t in_page = std::max(page, granule) >> GranuleShift;
  const auto at = ranges_.take(granules(span) + in_page - 1);
  if (!at) return {};
  const std::size_t first = round_up(*at, in_page);
  if (first != *at) ranges_.give(*at, first - *at);
  if (const std::size_t spare = *at + in_page - 1 - first; spare != 0) {
    ranges_.give(first + granules(span), spare);
  }
  if (!open(first + granules(span))) {
    ranges_.give(first, granules(span));
    return {};
  }
  const extent made{(first << GranuleShift) + into_page, bytes};
  write(made, true);
  return made.start;
}

template <class Word, unsigned GranuleShift, unsigned SizeBits>
void area<Word, GranuleShift, SizeBits>::reclaim_pages(extent freed) {
  const extent whole = pages_of(freed);
  ranges_.give(whole.start >> GranuleShift, granules(whole.bytes));
}

template <class Word, unsigned GranuleShift, unsigned SizeBits>
void area<Word, GranuleShift, SizeBits>::retire(extent freed) {
  write(freed, false);
}

template <class Word, unsigned GranuleShift, unsigned SizeBits>
void area<Word, GranuleShift, SizeBits>::reclaim(extent freed) {
  // Only large allocations return pages to the kernel; small ones share pages.
  if (granule >= page)
    os::discard_pages(view_ + freed.start, granules(freed.bytes) << GranuleShift);
  ranges_.give(freed.start >> GranuleShift, granules(freed.bytes));
}

template <class Word, unsigned GranuleShift, unsigned SizeBits>
bool area<Word, GranuleShift, SizeBits>::open(std::size_t wanted) {
  const std::size_t have = opened_.load(std::memory_order_relaxed);
  if (wanted <= have) return true;
  const std::size_t from = have << GranuleShift;
  const std::size_t to = std::min(round_up(wanted << GranuleShift, commit_step), size_);

  // Rounded to pages: in the large area the table of one step ends within a page.
  auto* const words = reinterpret_cast<std::byte*>(table_);
  const std::size_t words_from = (from >> GranuleShift) * sizeof(Word) / page * page;
  const std::size_t words_to = round_up((to >> GranuleShift) * sizeof(Word), page);
  if (!os::commit_pages(view_ + from, to - from)) return false;
  if (!os::commit_pages(words + words_from, words_to - words_from)) return false;
  opened_.store(to >> GranuleShift, std::memory_order_release);  // read by find()
  return true;
}

template <class Word, unsigned GranuleShift, unsigned SizeBits>
void area<Word, GranuleShift, SizeBits>::write(extent range, bool allocated) {
  const std::size_t first = range.start >> GranuleShift;
  const std::size_t count = granules(range.bytes);
  for (std::size_t back = 0; back != count; ++back) {
    const Word word = allocated ? static_cast<Word>(static_cast<Word>(back) << SizeBits |
                                                    static_cast<Word>(range.bytes))
                                : Word{0};
    table_[first + back].store(word, std::memory_order_relaxed);
  }
}

template class area<std::uint32_t, 8, 20>;
template class area<std::uint64_t, 16, 40>;

}  // namespace convoy::memory
