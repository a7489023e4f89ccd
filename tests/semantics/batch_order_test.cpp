#include <convoy/convoy.hpp>
#include <cstring>

#include "support/arrays.hpp"
#include "support/contents.hpp"
#include "support/gate.hpp"

namespace convoy {
namespace {

using namespace test;

TEST(BatchOrder, BatchIsOneStep) {
  const stream s = new_stream();
  const bytes source = numbered(800);
  const buffer target = device_holding(zeros(800));

  EXPECT_EQ(must(submit(s, side_by_side(target.data(), source.data(), 8, 100))), ticket{1});
  EXPECT_EQ(must(submit(s, side_by_side(target.data(), source.data(), 8, 100))), ticket{2});

  EXPECT_OK(s.synchronize());
}

TEST(BatchOrder, LaterBatchSeesEarlierWrites) {
  const stream s = new_stream();
  const bytes source = numbered(64'000);
  const buffer between = device_holding(zeros(64'000));
  bytes back = zeros(64'000);
  gate closed(s);

  EXPECT_OK(submit(s, side_by_side(between.data(), source.data(), 64, 1000)));
  EXPECT_OK(submit(s, side_by_side(back.data(), between.data(), 640, 100)));

  EXPECT_EQ(back, zeros(64'000));
  closed.open();
  EXPECT_OK(s.synchronize());
  EXPECT_EQ(back, source);
}

TEST(BatchOrder, LaterBatchOverwritesEarlierBatch) {
  const stream s = new_stream();
  const buffer target = device_holding(zeros(6400));
  std::vector<bytes> sources;
  for (unsigned i = 0; i != 20; ++i) sources.push_back(numbered(6400, i));

  for (const bytes& each : sources) {
    EXPECT_OK(submit(s, side_by_side(target.data(), each.data(), 64, 100)));
  }

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), sources.back());
}

TEST(BatchOrder, OneSourceFeedsManyDestinations) {
  const stream s = new_stream();
  const bytes source = numbered(64);
  const buffer target = device_holding(zeros(6400));
  std::vector<copy> copies;
  for (std::size_t i = 0; i != 100; ++i) {
    copies.push_back({target.data() + i * 64, source.data(), 64});
  }

  EXPECT_OK(submit(s, copies));

  EXPECT_OK(s.synchronize());
  bytes wanted;
  for (int i = 0; i != 100; ++i) wanted.insert(wanted.end(), source.begin(), source.end());
  EXPECT_EQ(contents_of(target), wanted);
}

TEST(BatchOrder, CopiesOfAllSizesLandTogether) {
  const stream s = new_stream();
  const bytes source = numbered(12U << 20);
  const buffer target = device_holding(zeros(source.size()));
  std::vector<copy> copies;
  std::size_t at = 0;
  for (const std::size_t size : {1UL, 5UL << 20, 63UL, 4096UL, 3UL << 20, 7UL, 2UL << 20, 64UL}) {
    copies.push_back({target.data() + at, source.data() + at, size});
    at += size;
  }

  EXPECT_OK(submit(s, copies));

  EXPECT_OK(s.synchronize());
  EXPECT_TRUE(contents_of(target.data(), at) == bytes(source.data(), source.data() + at));
}

TEST(BatchOrder, OneCopyIsOneBatch) {
  const stream s = new_stream();
  const bytes source = numbered(64);
  const buffer target = device_holding(zeros(64));
  const std::vector<copy> single{{target.data(), source.data(), 64}};

  EXPECT_OK(submit(s, single));

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), source);
}

TEST(BatchOrder, MillionCopiesAreOneBatch) {
  constexpr std::size_t count = 1'000'000;
  const stream s = new_stream();
  const bytes source = numbered(count * 8);
  const buffer target = device_holding(zeros(count * 8));
  std::vector<copy> copies = side_by_side(target.data(), source.data(), 8, count);
  for (std::size_t i = 0; i + 1 < count; i += 2) std::swap(copies[i].dst, copies[i + 1].dst);

  EXPECT_OK(submit(s, copies));

  EXPECT_OK(s.synchronize());
  const bytes seen = contents_of(target);
  for (std::size_t i = 0; i != count; ++i) {
    ASSERT_EQ(0, std::memcmp(&seen[i * 8], &source[(i ^ 1) * 8], 8)) << "item " << i;
  }
}

TEST(BatchOrder, ArraysMayBeFreedOnReturn) {
  const stream s = new_stream();
  const bytes source = numbered(6400);
  const buffer target = device_holding(zeros(6400));
  gate closed(s);

  {
    arrays held;
    for (const copy& each : side_by_side(target.data(), source.data(), 64, 100)) held.add(each);
    EXPECT_OK(submit(s, held.view()));
    held.dsts.assign(100, nullptr);
    held.srcs.assign(100, nullptr);
    held.sizes.assign(100, SIZE_MAX);
  }
  closed.open();

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), source);
}

}  // namespace
}  // namespace convoy
