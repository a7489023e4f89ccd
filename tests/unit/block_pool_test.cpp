#include "memory/block_pool.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <utility>

namespace convoy::memory {
namespace {

constexpr std::size_t mib = 1 << 20;

TEST(BlockPool, WholeBlockIsWritable) {
  block_pool pool(mib);

  for (const std::size_t bytes : {1UL, 4096UL, 4097UL, 131'072UL, 131'073UL}) {
    const block taken = pool.take(bytes);
    ASSERT_NE(taken.data(), nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(taken.data()) % alignof(std::max_align_t), 0U);
    std::memset(taken.data(), 1, bytes);
  }
}

TEST(BlockPool, BlockIsReusedForSameSize) {
  block_pool pool(mib);
  const void* const first = pool.take(200'000).data();

  EXPECT_EQ(pool.take(250'000).data(), first);
}

TEST(BlockPool, TwoOwnersHaveDifferentBlocks) {
  block_pool pool(mib);
  const block one = pool.take(200'000);
  const block two = pool.take(200'000);

  EXPECT_NE(one.data(), two.data());
}

TEST(BlockPool, MovedBlockIsReturnedOnce) {
  block_pool pool(mib);
  block one = pool.take(200'000);
  block two = std::move(one);
  one = std::move(two);
  const void* const start = one.data();
  one = {};

  const block again = pool.take(200'000);
  const block other = pool.take(200'000);
  EXPECT_EQ(again.data(), start);
  EXPECT_NE(other.data(), start);
}

TEST(BlockPool, ImpossibleSizeHasNoBlock) {
  block_pool pool(mib);

  EXPECT_EQ(pool.take(SIZE_MAX).data(), nullptr);
  EXPECT_EQ(pool.take(SIZE_MAX / 2).data(), nullptr);
}

}  // namespace
}  // namespace convoy::memory
