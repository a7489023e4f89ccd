#include "memory/block_pool.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include "os/pages.hpp"

namespace convoy::memory {
namespace {

constexpr std::size_t smallest = 64;
constexpr std::size_t largest = std::size_t{1} << 46;  // more than the memory of any machine

std::size_t bytes_of(unsigned size_class) { return std::size_t{1} << size_class; }

// Smaller blocks come from the C++ heap, which is fast enough for them.
constexpr unsigned first_pooled_class = 17;

void* new_block(unsigned size_class) {
  if (size_class >= first_pooled_class) return os::map_pages(bytes_of(size_class));
  return ::operator new(bytes_of(size_class), std::nothrow);
}

void free_block(void* start, unsigned size_class) {
  if (size_class >= first_pooled_class) {
    os::unmap_pages(start, bytes_of(size_class));
  } else {
    ::operator delete(start);
  }
}

}  // namespace

block::block(block&& other) noexcept
    : pool_(std::exchange(other.pool_, nullptr)), start_(other.start_), class_(other.class_) {}

block& block::operator=(block&& other) noexcept {
  std::swap(pool_, other.pool_);
  std::swap(start_, other.start_);
  std::swap(class_, other.class_);
  return *this;
}

block::~block() {
  if (pool_ != nullptr) pool_->give(start_, class_);
}

block_pool::~block_pool() {
  for (unsigned size_class = 0; size_class != unused_.size(); ++size_class) {
    for (void* start : unused_[size_class]) free_block(start, size_class);
  }
}

block block_pool::take(std::size_t bytes) {
  if (bytes > largest) return {};
  const auto size_class = static_cast<unsigned>(std::bit_width(std::max(bytes, smallest) - 1));
  void* start = size_class >= first_pooled_class ? reuse(size_class) : nullptr;
  if (start == nullptr) start = new_block(size_class);
  if (start == nullptr) return {};
  return {*this, start, size_class};
}

void* block_pool::reuse(unsigned size_class) {
  const lock held(mutex_);
  auto& same = unused_[size_class];
  if (same.empty()) return nullptr;
  void* const start = same.back();
  same.pop_back();
  unused_bytes_ -= bytes_of(size_class);
  return start;
}

void block_pool::give(void* start, unsigned size_class) {
  if (size_class < first_pooled_class || !store(start, size_class)) free_block(start, size_class);
}

bool block_pool::store(void* start, unsigned size_class) {
  const lock held(mutex_);
  if (unused_bytes_ + bytes_of(size_class) > limit_) return false;
  unused_bytes_ += bytes_of(size_class);
  unused_[size_class].push_back(start);
  return true;
}

}  // namespace convoy::memory
