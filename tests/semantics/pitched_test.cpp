#include <convoy/convoy.hpp>

#include "support/contents.hpp"
#include "support/gate.hpp"

namespace convoy {
namespace {

using namespace test;

class PitchedCopy : public testing::Test {
 protected:
  const stream s = new_stream();
  const buffer source = pinned_holding(numbered(256));
  const buffer target = device_holding(zeros(256));
};

// The expected destination after rows were copied from one pitch to another.
bytes rows_moved(std::size_t rows, std::size_t width, std::size_t from_pitch,
                 std::size_t to_pitch) {
  const bytes all = numbered(256);
  bytes wanted = zeros(256);
  for (std::size_t row = 0; row != rows; ++row) {
    std::copy_n(all.data() + row * from_pitch, width, wanted.data() + row * to_pitch);
  }
  return wanted;
}

TEST_F(PitchedCopy, CopiesRowsBetweenPitches) {
  EXPECT_OK(submit(s, pitched_copy{.dst = {target.data(), 32},
                                   .src = {source.data(), 20},
                                   .extent = {.width = 13, .height = 8}}));

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), rows_moved(8, 13, 20, 32));
}

TEST_F(PitchedCopy, CopiesSlicesBetweenSlicePitches) {
  EXPECT_OK(submit(s, pitched_copy{.dst = {target.data(), 8, 4},
                                   .src = {source.data(), 8, 3},
                                   .extent = {.width = 8, .height = 3, .depth = 5}}));

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), rows_moved(5, 24, 24, 32));
}

TEST_F(PitchedCopy, ZeroSliceRowsMeanBoxHeight) {
  EXPECT_OK(submit(s, pitched_copy{.dst = {target.data(), 8, 4},
                                   .src = {source.data(), 8, 0},
                                   .extent = {.width = 8, .height = 3, .depth = 5}}));

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), rows_moved(5, 24, 24, 32));
}

TEST_F(PitchedCopy, LastRowNeedsNoGap) {
  const buffer tight = device_holding(zeros(3 * 32 + 13));

  EXPECT_OK(submit(s, pitched_copy{.dst = {tight.data(), 32},
                                   .src = {source.data(), 32},
                                   .extent = {.width = 13, .height = 4}}));

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(tight.data() + 96, 13), contents_of(source.data() + 96, 13));
}

TEST_F(PitchedCopy, CopiesLargeBoxes) {
  const bytes all = numbered(4U << 20);
  const buffer large = device_holding(zeros(all.size()));

  EXPECT_OK(submit(s, pitched_copy{.dst = {large.data(), 4096},
                                   .src = {const_cast<std::byte*>(all.data()), 4096},
                                   .extent = {.width = 4096, .height = 1024}}));

  EXPECT_OK(s.synchronize());
  EXPECT_TRUE(contents_of(large) == all);
}

TEST_F(PitchedCopy, RunsInStreamOrder) {
  gate closed(s);

  EXPECT_OK(submit(s, pitched_copy{.dst = {target.data(), 16},
                                   .src = {source.data(), 16},
                                   .extent = {.width = 16, .height = 16}}));

  EXPECT_EQ(contents_of(target), zeros(256));
  closed.open();
  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), numbered(256));
}

TEST_F(PitchedCopy, BoxWithoutVolumeDoesNothing) {
  EXPECT_OK(submit(s, pitched_copy{.extent = {.width = 0, .height = 4}}));
  EXPECT_OK(submit(s, pitched_copy{.extent = {.width = 4, .height = 0}}));
  EXPECT_OK(submit(s, pitched_copy{.extent = {.width = 4, .height = 4, .depth = 0}}));

  EXPECT_OK(s.query());
}

TEST_F(PitchedCopy, ShortPitchIsRefused) {
  const pitched good{target.data(), 16};
  const pitched bad{source.data(), 15};
  const box extent{.width = 16, .height = 2};

  EXPECT_EQ(submit(s, pitched_copy{good, bad, extent}).error(),
            (status{errc::invalid_pitch, copy_side::source, {}, bad.start}));
  EXPECT_EQ(submit(s, pitched_copy{bad, good, extent}).error(),
            (status{errc::invalid_pitch, copy_side::destination, {}, bad.start}));
}

TEST_F(PitchedCopy, SingleRowNeedsNoPitch) {
  EXPECT_OK(submit(s, pitched_copy{{target.data()}, {source.data()}, {.width = 256}}));

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), numbered(256));
}

TEST_F(PitchedCopy, ShortSliceIsRefused) {
  EXPECT_ANSWER(submit(s, pitched_copy{.dst = {target.data(), 8, 2},
                                       .src = {source.data(), 8, 3},
                                       .extent = {.width = 8, .height = 3, .depth = 2}}),
                errc::invalid_pitch);
}

TEST_F(PitchedCopy, BoxBeyondAllocationIsRefused) {
  const pitched_copy too_high{
      .dst = {target.data(), 32}, .src = {source.data(), 16}, .extent = {.width = 16, .height = 9}};

  EXPECT_EQ(submit(s, too_high).error(),
            (status{errc::leaves_allocation, copy_side::destination, {}, target.data()}));
  EXPECT_EQ(contents_of(target), zeros(256));
}

TEST_F(PitchedCopy, OverflowingSizeIsRefused) {
  EXPECT_ANSWER(submit(s, pitched_copy{.dst = {target.data(), SIZE_MAX / 2},
                                       .src = {source.data(), 16},
                                       .extent = {.width = 16, .height = 9}}),
                errc::invalid_argument);
}

TEST_F(PitchedCopy, NullIsRefused) {
  const box extent{.width = 4, .height = 2};

  EXPECT_ANSWER(submit(s, pitched_copy{{nullptr, 8}, {source.data(), 8}, extent}),
                errc::null_pointer);
  EXPECT_ANSWER(submit(s, pitched_copy{{target.data(), 8}, {nullptr, 8}, extent}),
                errc::null_pointer);
}

}  // namespace
}  // namespace convoy
