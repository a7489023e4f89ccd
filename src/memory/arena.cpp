#include "memory/arena.hpp"

#include <iterator>

namespace convoy::memory {
namespace {

// Up to here an allocation goes to the packed half.
constexpr std::size_t largest_small = std::size_t{512} << 10;

std::size_t charged(std::size_t bytes) {
  return (bytes + small_area::granule - 1) / small_area::granule * small_area::granule;
}

}  // namespace

std::size_t arena::used() const {
  const lock held(mutex_);
  return used_;
}

std::optional<std::size_t> arena::allocate(std::size_t bytes) {
  const lock held(mutex_);
  if (bytes > owner_.capacity || charged(bytes) > owner_.capacity - used_) return {};

  std::optional<std::size_t> start;
  if (bytes <= largest_small) {
    start = small_.allocate(bytes);
  } else if (const auto in_half = large_.allocate(bytes)) {
    start = *in_half + half_;
  }
  if (start) used_ += charged(bytes);
  return start;
}

std::optional<extent> arena::retire(std::size_t offset, std::uint64_t number) {
  const lock held(mutex_);
  const auto found = find(offset);
  if (!found || found->start != offset) return {};
  if (offset < half_) {
    small_.retire(*found);
  } else {
    large_.retire({offset - half_, found->bytes});
  }
  retired_[offset] = {found->bytes, number};
  return found;
}

std::optional<extent> arena::find_retired(std::size_t offset, std::uint64_t since) const {
  const lock held(mutex_);
  const auto after = retired_.upper_bound(offset);
  if (after == retired_.begin()) return {};
  const auto& [start, gone] = *std::prev(after);
  if (gone.number <= since || offset - start >= gone.bytes) return {};
  return extent{start, gone.bytes};
}

void arena::reclaim(extent gone) {
  const lock held(mutex_);
  if (gone.start < half_) {
    small_.reclaim(gone);
  } else {
    large_.reclaim({gone.start - half_, gone.bytes});
  }
  retired_.erase(gone.start);
  used_ -= charged(gone.bytes);
}

}  // namespace convoy::memory
