#include <convoy/convoy.hpp>

#include "support/arrays.hpp"
#include "support/contents.hpp"
#include "support/gate.hpp"

namespace convoy {
namespace {

using namespace test;

// A hundred good copies; each test spoils the last one.
class BatchValidation : public testing::Test {
 protected:
  static constexpr std::size_t last = 99;

  void expect_refusal(const status& wanted) {
    EXPECT_EQ(submit(s, copies).outcome(), wanted);

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

TEST_F(BatchValidation, NullDestinationWritesNothingAndIsNamed) {
  copies[last].dst = nullptr;

  expect_refusal({errc::null_pointer, side::destination, last});
}

TEST_F(BatchValidation, NullSourceWritesNothingAndIsNamed) {
  copies[last].src = nullptr;

  expect_refusal({errc::null_pointer, side::source, last});
}

TEST_F(BatchValidation, DestinationThatIsTooShortWritesNothingAndIsNamed) {
  copies[last].bytes = 65;

  expect_refusal({errc::leaves_allocation, side::destination, last, copies[last].dst});
}

TEST_F(BatchValidation, SourceThatIsTooShortWritesNothingAndIsNamed) {
  const buffer small = must(make_device_buffer(first_device, 63));
  copies[last].src = small.data();

  expect_refusal({errc::leaves_allocation, side::source, last, small.data()});
}

TEST_F(BatchValidation, FreedSourceWritesNothingAndIsNamed) {
  void* const gone = must(allocate(first_device, 64));
  EXPECT_OK(deallocate(gone));
  copies[last].src = gone;

  expect_refusal({errc::not_an_allocation, side::source, last, gone});
}

TEST_F(BatchValidation, SizeThatWrapsAroundWritesNothingAndIsNamed) {
  copies[last].bytes = SIZE_MAX;

  expect_refusal({errc::leaves_allocation, side::destination, last, copies[last].dst});
}

TEST_F(BatchValidation, FirstBadItemIsNamed) {
  copies[17].src = nullptr;
  copies[last].dst = nullptr;

  expect_refusal({errc::null_pointer, side::source, 17});
}

TEST_F(BatchValidation, NamesItemsByThePositionInTheCallersArrays) {
  copies[3].bytes = 0;
  copies[17].src = nullptr;

  expect_refusal({errc::null_pointer, side::source, 17});
}

TEST_F(BatchValidation, SizeAboveItsCapacityWritesNothingAndIsNamed) {
  arrays held{{copies[0], copies[1], copies[2]}};
  held.capacities = {64, 64, 63};

  EXPECT_EQ(submit(s, held.view()).outcome(),
            (status{errc::size_exceeds_capacity, side::destination, 2, copies[2].dst}));

  EXPECT_OK(s.query());
  EXPECT_EQ(contents_of(target), zeros(6400));
}

TEST_F(BatchValidation, SizesUpToTheirCapacityAreFine) {
  arrays held{{copies[0], copies[1]}};
  held.capacities = {64, 1000};

  EXPECT_OK(submit(s, held.view()));

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target.data(), 128), bytes(source.data(), source.data() + 128));
}

TEST_F(BatchValidation, RefusalLeavesTheStreamWithoutError) {
  copies[last].dst = nullptr;
  EXPECT_ANSWER(submit(s, copies), errc::null_pointer);

  copies.pop_back();
  EXPECT_OK(submit(s, copies));

  EXPECT_OK(s.synchronize());
}

TEST_F(BatchValidation, RefusalIsAtOnceEvenBehindAGate) {
  const gate closed(s);
  copies[last].dst = nullptr;

  EXPECT_ANSWER(submit(s, copies), errc::null_pointer);
}

}  // namespace
}  // namespace convoy
