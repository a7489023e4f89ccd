#include <convoy/convoy.hpp>

#include "support/contents.hpp"
#include "support/gate.hpp"

namespace convoy {
namespace {

using namespace test;

bytes repeated(std::initializer_list<unsigned> pattern, std::size_t count) {
  bytes made;
  while (made.size() < count) {
    for (const unsigned each : pattern) made.push_back(static_cast<std::byte>(each));
  }
  return made;
}

class Fill : public testing::Test {
 protected:
  const stream s = new_stream();
  const buffer target = device_holding(zeros(64));
};

TEST_F(Fill, RepeatsOneByte) {
  EXPECT_OK(fill(s, target.data(), 64, {.value = 0xab}));

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), repeated({0xab}, 64));
}

TEST_F(Fill, RepeatsTwoBytes) {
  EXPECT_OK(fill(s, target.data(), 64, {.value = 0x1234, .unit = 2}));

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), repeated({0x34, 0x12}, 64));
}

TEST_F(Fill, RepeatsFourBytes) {
  EXPECT_OK(fill(s, target.data(), 64, {.value = 0x12345678, .unit = 4}));

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), repeated({0x78, 0x56, 0x34, 0x12}, 64));
}

TEST_F(Fill, WritesNothingOutside) {
  EXPECT_OK(fill(s, target.data() + 3, 57, {.value = 0xff}));

  EXPECT_OK(s.synchronize());
  bytes wanted = zeros(64);
  std::fill_n(wanted.begin() + 3, 57, std::byte{0xff});
  EXPECT_EQ(contents_of(target), wanted);
}

TEST_F(Fill, CoversLargeMemory) {
  const std::size_t size = (5U << 20) + 12;
  const buffer large = device_holding(zeros(size));

  EXPECT_OK(fill(s, large.data(), size, {.value = 0x01020304, .unit = 4}));

  EXPECT_OK(s.synchronize());
  EXPECT_TRUE(contents_of(large) == repeated({4, 3, 2, 1}, size));
}

TEST_F(Fill, WritesRowsWithoutGaps) {
  EXPECT_OK(fill(s, {target.data(), 16, 0}, {.width = 10, .height = 4}, {.value = 0x7}));

  EXPECT_OK(s.synchronize());
  bytes wanted = zeros(64);
  for (std::size_t row = 0; row != 4; ++row) {
    std::fill_n(wanted.begin() + static_cast<long>(row) * 16, 10, std::byte{7});
  }
  EXPECT_EQ(contents_of(target), wanted);
}

TEST_F(Fill, WritesSlicesOfRows) {
  const box extent{.width = 2, .height = 2, .depth = 2};

  EXPECT_OK(fill(s, {target.data(), 8, 4}, extent, {.value = 0x0909, .unit = 2}));

  EXPECT_OK(s.synchronize());
  bytes wanted = zeros(64);
  for (const std::size_t row : {0, 8, 32, 40}) {
    wanted[row] = wanted[row + 1] = std::byte{9};
  }
  EXPECT_EQ(contents_of(target), wanted);
}

TEST_F(Fill, RunsInStreamOrder) {
  const bytes source = numbered(64);
  gate closed(s);

  EXPECT_OK(fill(s, target.data(), 64, {.value = 1}));
  EXPECT_OK(submit(s, copy{target.data(), source.data(), 32}));

  EXPECT_EQ(contents_of(target), zeros(64));
  closed.open();
  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target.data(), 32), numbered(32));
  EXPECT_EQ(contents_of(target.data() + 32, 32), repeated({1}, 32));
}

TEST_F(Fill, ZeroBytesDoNothing) {
  EXPECT_OK(fill(s, target.data(), 0, {.value = 1}));
  EXPECT_OK(fill(s, {nullptr, 0, 0}, {.width = 4, .height = 0}, {.value = 1}));

  EXPECT_OK(s.query());
}

TEST_F(Fill, UnitIsOneTwoOrFour) {
  EXPECT_ANSWER(fill(s, target.data(), 64, {.unit = 0}), errc::invalid_argument);
  EXPECT_ANSWER(fill(s, target.data(), 63, {.unit = 3}), errc::invalid_argument);
  EXPECT_ANSWER(fill(s, target.data(), 64, {.unit = 8}), errc::invalid_argument);
}

TEST_F(Fill, MisalignedShapeIsRefused) {
  const fill_pattern pattern{.value = 1, .unit = 4};

  EXPECT_ANSWER(fill(s, target.data() + 2, 8, pattern), errc::invalid_argument);
  EXPECT_ANSWER(fill(s, target.data(), 6, pattern), errc::invalid_argument);
  EXPECT_ANSWER(fill(s, {target.data(), 10, 0}, {.width = 8, .height = 2}, pattern),
                errc::invalid_argument);
  EXPECT_OK(s.query());
}

TEST_F(Fill, RangeBeyondAllocationIsRefused) {
  EXPECT_ANSWER(fill(s, target.data(), 65, {.value = 1}), errc::leaves_allocation);
  EXPECT_ANSWER(fill(s, {target.data(), 16, 0}, {.width = 16, .height = 5}, {.value = 1}),
                errc::leaves_allocation);
  EXPECT_ANSWER(fill(s, nullptr, 8, {.value = 1}), errc::null_pointer);
  EXPECT_EQ(contents_of(target), zeros(64));
}

TEST_F(Fill, ShortPitchIsRefused) {
  EXPECT_ANSWER(fill(s, {target.data(), 7, 0}, {.width = 8, .height = 2}, {.value = 1}),
                errc::invalid_pitch);
}

}  // namespace
}  // namespace convoy
