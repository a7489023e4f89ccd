#include <convoy/convoy.hpp>

#include "support/arrays.hpp"
#include "support/contents.hpp"
#include "support/gate.hpp"

namespace convoy {
namespace {

using namespace test;

// A hundred valid copies; each test makes the last one invalid.
class BatchValidation : public testing::Test {
 protected:
  static constexpr std::size_t last = 99;

  void expect_refusal(const status& wanted) {
    EXPECT_EQ(submit(s, copies).error(), wanted);

    EXPECT_OK(s.query());
    EXPECT_EQ(must(call(s, [] {})), ticket{1});
    EXPECT_OK(s.synchronize());
    EXPECT_EQ(contents_of(target), zeros(6400));
  }

  const stream s = new_stream();
  const bytes source = numbered(6400);
  const buffer target = device_holding(zeros(6400));
  std::vector<copy> copies = side_by_side(target.data(), source.data(), 64, 100);
};

TEST_F(BatchValidation, NullDestinationIsRefused) {
  copies[last].dst = nullptr;

  expect_refusal({errc::null_pointer, copy_side::destination, last});
}

TEST_F(BatchValidation, NullSourceIsRefused) {
  copies[last].src = nullptr;

  expect_refusal({errc::null_pointer, copy_side::source, last});
}

TEST_F(BatchValidation, ShortDestinationIsRefused) {
  copies[last].bytes = 65;

  expect_refusal({errc::leaves_allocation, copy_side::destination, last, copies[last].dst});
}

TEST_F(BatchValidation, ShortSourceIsRefused) {
  const buffer small = must(make_device_buffer(first_device, 63));
  copies[last].src = small.data();

  expect_refusal({errc::leaves_allocation, copy_side::source, last, small.data()});
}

TEST_F(BatchValidation, FreedSourceIsRefused) {
  void* const gone = must(allocate(first_device, 64));
  EXPECT_OK(deallocate(gone));
  copies[last].src = gone;

  expect_refusal({errc::not_an_allocation, copy_side::source, last, gone});
}

TEST_F(BatchValidation, WrappingSizeIsRefused) {
  copies[last].bytes = SIZE_MAX;

  expect_refusal({errc::leaves_allocation, copy_side::destination, last, copies[last].dst});
}

TEST_F(BatchValidation, StatusNamesFirstBadItem) {
  copies[17].src = nullptr;
  copies[last].dst = nullptr;

  expect_refusal({errc::null_pointer, copy_side::source, 17});
}

TEST_F(BatchValidation, StatusCountsSkippedItems) {
  copies[3].bytes = 0;
  copies[17].src = nullptr;

  expect_refusal({errc::null_pointer, copy_side::source, 17});
}

TEST_F(BatchValidation, SizeAboveCapacityIsRefused) {
  arrays held{{copies[0], copies[1], copies[2]}};
  held.capacities = {64, 64, 63};

  EXPECT_EQ(submit(s, held.view()).error(),
            (status{errc::size_exceeds_capacity, copy_side::destination, 2, copies[2].dst}));

  EXPECT_OK(s.query());
  EXPECT_EQ(contents_of(target), zeros(6400));
}

TEST_F(BatchValidation, SizesUpToCapacityAreAccepted) {
  arrays held{{copies[0], copies[1]}};
  held.capacities = {64, 1000};

  EXPECT_OK(submit(s, held.view()));

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target.data(), 128), bytes(source.data(), source.data() + 128));
}

TEST_F(BatchValidation, RefusalLeavesStreamWithoutError) {
  copies[last].dst = nullptr;
  EXPECT_ANSWER(submit(s, copies), errc::null_pointer);

  copies.pop_back();
  EXPECT_OK(submit(s, copies));

  EXPECT_OK(s.synchronize());
}

TEST_F(BatchValidation, BusyStreamDoesNotDelayRefusal) {
  const gate closed(s);
  copies[last].dst = nullptr;

  EXPECT_ANSWER(submit(s, copies), errc::null_pointer);
}

TEST(LongBatch, StatusNamesLowestBadItem) {
  const stream s = new_stream();
  const bytes source = numbered(64);
  const buffer target = device_holding(zeros(64));
  std::vector<copy> copies(100'000, {target.data(), source.data(), 1});
  copies[99'999].dst = nullptr;
  copies[70'001].src = nullptr;
  copies[70'002].bytes = 65;

  EXPECT_EQ(submit(s, copies).error(), (status{errc::null_pointer, copy_side::source, 70'001}));
  EXPECT_EQ(contents_of(target), zeros(64));
}

TEST(LongBatch, AttributesApplyToTheirRunOnly) {
  const stream s = new_stream();
  const bytes source = numbered(64);
  const buffer target = device_holding(zeros(64));
  const location device_0{location_type::device, 0};
  const location device_1{location_type::device, 1};
  arrays all;
  for (std::size_t i = 0; i != 20'000; ++i) all.add({target.data(), source.data(), 1});
  all.runs = {{0, {.dst_hint = device_0}}, {12'345, {.dst_hint = device_1}}};
  batch_rules binding = native_rules;
  binding.locations_bind = true;

  const status refusal = submit(s, all.view(), binding).error();

  EXPECT_EQ(refusal, (status{errc::wrong_location, copy_side::destination, 12'345, target.data()}));
}

// Every other copy goes from the device to the host, the others from the host to the device.
class MixedDirections : public testing::Test {
 protected:
  MixedDirections() {
    for (std::size_t i = 0; i != 100; ++i) {
      copies.add({target.data() + i * 64, source.data() + i * 64, 64});
      copies.add({home.data() + i * 64, remote.data() + i * 64, 64});
    }
  }

  const stream s = new_stream();
  const bytes source = numbered(6400);
  const buffer target = device_holding(zeros(6400));
  const buffer remote = device_holding(numbered(6400, 3));
  bytes home = zeros(6400);
  arrays copies;
};

TEST_F(MixedDirections, EveryCopyLands) {
  EXPECT_OK(submit(s, copies.view()));
  EXPECT_OK(s.synchronize());

  EXPECT_EQ(contents_of(target), source);
  EXPECT_EQ(home, numbered(6400, 3));
}

TEST_F(MixedDirections, StatusNamesCopyBeyondAllocation) {
  copies.sizes[198] = 65;
  EXPECT_EQ(submit(s, copies.view()).error(),
            (status{errc::leaves_allocation, copy_side::destination, 198, copies.dsts[198]}));

  copies.sizes[198] = 64;
  copies.sizes[199] = 65;
  EXPECT_EQ(submit(s, copies.view()).error(),
            (status{errc::leaves_allocation, copy_side::source, 199, copies.srcs[199]}));
}

TEST_F(MixedDirections, LocationsAreCheckedForEachRun) {
  copies.runs = {{0, {}}, {100, {.dst_hint = {location_type::device, 0}}}};
  batch_rules binding = native_rules;
  binding.locations_bind = true;

  const status refusal = submit(s, copies.view(), binding).error();

  EXPECT_EQ(refusal, (status{errc::wrong_location, copy_side::destination, 101, copies.dsts[101]}));
}

}  // namespace
}  // namespace convoy
