#include "memory/arena.hpp"

#include <algorithm>
#include <iterator>

#include "os/shared_pages.hpp"

namespace convoy::memory {
namespace {

// Up to this size an allocation goes to the half for small ones.
constexpr std::size_t largest_small = std::size_t{512} << 10;
constexpr std::size_t page = 4096;

std::size_t charged(std::size_t bytes) {
  return (bytes + small_area::granule - 1) / small_area::granule * small_area::granule;
}

}  // namespace

arena::~arena() {
  if (has_file()) os::close_shared(file_);
}

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

std::optional<shared_pages> arena::share(std::size_t offset) {
  const lock held(mutex_);
  const auto found = find(offset);
  if (!found || found->start != offset || adopted_.contains(offset)) return {};
  if (file_ < 0) {
    file_ = os::make_shared(2 * half_);
    file_identity_ = os::identity_of(file_);
  }
  const extent pages = small_area::pages_of(*found);
  if (!has_file() || !make_shared({pages.start, pages.start + pages.bytes})) return {};
  return shared_pages{file_, offset, found->bytes};
}

bool arena::has_file() const { return file_ >= 0 && os::identity_of(file_) == file_identity_; }

bool arena::lost_file() const {
  const lock held(mutex_);
  return file_ >= 0 && !has_file();
}

// Moves the pages that are not in the file yet, gap by gap.
bool arena::make_shared(offsets pages) {
  auto [at, end] = pages;
  while (at != end) {
    const auto after = shared_.upper_bound(at);
    if (after != shared_.begin() && std::prev(after)->second > at) {
      at = std::min(end, std::prev(after)->second);
      continue;
    }
    const std::size_t to = after == shared_.end() ? end : std::min(end, after->first);
    if (!os::move_to_shared(view_ + at, to - at, file_, at)) return false;
    shared_[at] = to;
    at = to;
  }
  return true;
}

// Only for a range that make_shared() moved as a whole.
void arena::make_private(offsets pages) {
  if (shared_.erase(pages.first) == 0) return;
  os::map_private_at(view_ + pages.first, pages.second - pages.first);
  if (has_file()) os::discard_shared(file_, pages.first, pages.second - pages.first);
}

std::optional<std::size_t> arena::adopt(const shared_pages& foreign) {
  const lock held(mutex_);
  const bool is_small = foreign.bytes <= largest_small;
  const std::size_t into_page = foreign.offset % page;
  const auto in_area = is_small ? small_.allocate_pages(foreign.bytes, into_page)
                                : large_.allocate_pages(foreign.bytes, into_page);
  if (!in_area) return {};

  const extent made{*in_area + (is_small ? 0 : half_), foreign.bytes};
  const extent pages = small_area::pages_of(made);
  adopted_.insert(made.start);
  if (os::map_shared_at(view_ + pages.start, pages.bytes, foreign.file,
                        foreign.offset - into_page)) {
    return made.start;
  }
  is_small ? small_.retire(made) : large_.retire({*in_area, made.bytes});
  release_adopted(made);
  return {};
}

bool arena::is_adopted(std::size_t offset) const {
  const lock held(mutex_);
  return adopted_.contains(offset);
}

void arena::release_adopted(extent freed) {
  const extent pages = small_area::pages_of(freed);
  os::map_private_at(view_ + pages.start, pages.bytes);
  adopted_.erase(freed.start);
  if (freed.start < half_) {
    small_.reclaim_pages(freed);
  } else {
    large_.reclaim_pages({freed.start - half_, freed.bytes});
  }
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
  const auto& [start, freed] = *std::prev(after);
  if (freed.number <= since || offset - start >= freed.bytes) return {};
  return extent{start, freed.bytes};
}

void arena::reclaim(extent freed) {
  const lock held(mutex_);
  retired_.erase(freed.start);
  if (adopted_.contains(freed.start)) return release_adopted(freed);

  used_ -= charged(freed.bytes);
  if (freed.start < half_) {
    small_.reclaim(freed);
    return;
  }
  const extent pages = small_area::pages_of(freed);
  make_private({pages.start, pages.start + pages.bytes});
  large_.reclaim({freed.start - half_, freed.bytes});
}

}  // namespace convoy::memory
