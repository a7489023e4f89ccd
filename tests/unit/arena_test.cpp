#include "memory/arena.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "os/pages.hpp"

namespace convoy::memory {
namespace {

constexpr std::size_t kib = 1024;
constexpr std::size_t mib = 1024 * kib;

class Arena : public testing::Test {
 protected:
  Arena() : view_(static_cast<std::byte*>(os::reserve(addresses))) {}
  ~Arena() override { os::unmap_pages(view_, addresses); }

  // An arena whose every allocation is written to, as a device would.
  std::size_t allocate(std::size_t bytes) {
    const auto start = arena_.allocate(bytes);
    if (!start) return SIZE_MAX;
    std::memset(view_ + *start, 1, bytes);
    return *start;
  }
  void expect_found(std::size_t start, std::size_t bytes) const {
    for (const std::size_t inside : {std::size_t{0}, bytes / 2, bytes - 1}) {
      const auto found = arena_.find(start + inside);
      ASSERT_TRUE(found) << bytes << '+' << inside;
      EXPECT_EQ(found->start, start);
      EXPECT_EQ(found->bytes, bytes);
    }
    EXPECT_FALSE(arena_.find(start + bytes));
  }

  static constexpr std::size_t addresses = 256 * mib;
  static constexpr std::size_t capacity = 32 * mib;
  std::byte* const view_;
  arena arena_{{memory_kind::device, device_id{1}, capacity}, view_, addresses};
};

TEST_F(Arena, InteriorPointersFindTheirAllocation) {
  for (const std::size_t bytes : {1UL, 255UL, 256UL, 257UL, 4096UL, 512 * kib - 1, 512 * kib,
                                  512 * kib + 1, 768 * kib, 1 * mib, 1 * mib + 1, 5 * mib}) {
    const std::size_t start = allocate(bytes);
    ASSERT_NE(start, SIZE_MAX);
    expect_found(start, bytes);
  }
}

TEST_F(Arena, AlignsEverythingTo256) {
  for (const std::size_t bytes : {1UL, 300UL, 512 * kib + 1, 7UL}) {
    EXPECT_EQ(allocate(bytes) % 256, 0U);
  }
}

TEST_F(Arena, LargeAllocationsGoToUpperHalf) {
  EXPECT_LT(allocate(512 * kib), addresses / 2);
  EXPECT_GE(allocate(512 * kib + 1), addresses / 2);
}

TEST_F(Arena, UnallocatedMemoryIsNotFound) {
  EXPECT_FALSE(arena_.find(0));
  EXPECT_FALSE(arena_.find(addresses / 2));
  EXPECT_FALSE(arena_.find(addresses - 1));
}

TEST_F(Arena, ChargesWholeGranules) {
  allocate(1);
  EXPECT_EQ(arena_.used(), 256U);

  allocate(600 * kib + 1);
  EXPECT_EQ(arena_.used(), 256 + 600 * kib + 256);
}

TEST_F(Arena, AllocatesUpToItsCapacity) {
  EXPECT_EQ(allocate(capacity + 1), SIZE_MAX);
  EXPECT_FALSE(arena_.allocate(SIZE_MAX));
  EXPECT_NE(allocate(capacity - 256), SIZE_MAX);
  EXPECT_EQ(allocate(257), SIZE_MAX);
  EXPECT_NE(allocate(256), SIZE_MAX);
  EXPECT_EQ(allocate(1), SIZE_MAX);
}

TEST_F(Arena, RetireNeedsStartOfAllocation) {
  const std::size_t start = allocate(1000);

  EXPECT_FALSE(arena_.retire(start + 1, 1));
  EXPECT_FALSE(arena_.retire(start + 256, 1));
  EXPECT_TRUE(arena_.retire(start, 1));
  EXPECT_FALSE(arena_.retire(start, 2));
}

TEST_F(Arena, RetiredMemoryIsNotFound) {
  const std::size_t left = allocate(256);
  const std::size_t gone = allocate(1000);
  const std::size_t right = allocate(256);

  arena_.retire(gone, 1);

  EXPECT_FALSE(arena_.find(gone));
  EXPECT_FALSE(arena_.find(gone + 999));
  expect_found(left, 256);
  expect_found(right, 256);
}

TEST_F(Arena, ReusesAddressesAndCapacityOnceReclaimed) {
  const std::size_t start = allocate(capacity);
  const auto gone = arena_.retire(start, 1);
  EXPECT_EQ(allocate(1), SIZE_MAX);
  EXPECT_EQ(arena_.used(), capacity);

  arena_.reclaim(*gone);

  EXPECT_EQ(arena_.used(), 0U);
  EXPECT_EQ(allocate(capacity), start);
}

TEST_F(Arena, EarlierStepsFindRetiredMemory) {
  const std::size_t start = allocate(1000);
  const auto gone = arena_.retire(start, 5);

  EXPECT_TRUE(arena_.find_retired(start + 999, 4));
  EXPECT_FALSE(arena_.find_retired(start + 1000, 4));
  EXPECT_FALSE(arena_.find_retired(start, 5));

  arena_.reclaim(*gone);
  EXPECT_FALSE(arena_.find_retired(start, 4));
}

TEST_F(Arena, ReclaimedLargeMemoryReadsZeroAgain) {
  const std::size_t start = allocate(mib);
  arena_.reclaim(*arena_.retire(start, 1));

  EXPECT_EQ(arena_.allocate(mib), start);
  EXPECT_EQ(view_[start], std::byte{0});
}

}  // namespace
}  // namespace convoy::memory
