#include "memory/block_pool.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "os/pages.hpp"

namespace convoy::memory {
namespace {

constexpr std::size_t smallest = 4096;
constexpr std::size_t largest = std::size_t{1} << 46;  // more than any machine has

std::size_t bytes_of(unsigned size_class) { return std::size_t{1} << size_class; }

}  // namespace

block::block(block&& other) noexcept
    : home_(std::exchange(other.home_, nullptr)), start_(other.start_), class_(other.class_) {}

block& block::operator=(block&& other) noexcept {
  std::swap(home_, other.home_);
  std::swap(start_, other.start_);
  std::swap(class_, other.class_);
  return *this;
}

block::~block() {
  if (home_ != nullptr) home_->give(start_, class_);
}

block_pool::~block_pool() {
  for (unsigned size_class = 0; size_class != unused_.size(); ++size_class) {
    for (void* start : unused_[size_class]) os::unmap_pages(start, bytes_of(size_class));
  }
}

block block_pool::take(std::size_t bytes) {
  if (bytes > largest) return {};
  const auto size_class = static_cast<unsigned>(std::bit_width(std::max(bytes, smallest) - 1));
  {
    const lock held(mutex_);
    auto& same = unused_[size_class];
    if (!same.empty()) {
      void* const start = same.back();
      same.pop_back();
      kept_ -= bytes_of(size_class);
      return {*this, start, size_class};
    }
  }
  void* const fresh = os::map_pages(bytes_of(size_class));
  if (fresh == nullptr) return {};
  return {*this, fresh, size_class};
}

void block_pool::give(void* start, unsigned size_class) {
  {
    const lock held(mutex_);
    if (kept_ + bytes_of(size_class) <= keep_) {
      kept_ += bytes_of(size_class);
      unused_[size_class].push_back(start);
      return;
    }
  }
  os::unmap_pages(start, bytes_of(size_class));
}

}  // namespace convoy::memory
