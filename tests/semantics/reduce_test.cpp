#include <cfenv>
#include <cmath>
#include <convoy/convoy.hpp>

#include "support/contents.hpp"
#include "support/gate.hpp"
#include "support/own_process.hpp"
#include "support/reduction_oracle.hpp"

namespace convoy {
namespace {

using namespace test;

bytes holding(element type, std::initializer_list<double> values) {
  bytes made(values.size() * bytes_of(type));
  std::byte* at = made.data();
  for (const double each : values) {
    put_element(type, each, at);
    at += bytes_of(type);
  }
  return made;
}

// Reduces two elements and returns the destination.
double reduced(reduce_kind kind, element type, double there, double other) {
  const stream s = new_stream();
  const buffer dst = device_holding(holding(type, {there}));
  const buffer src = device_holding(holding(type, {other}));
  EXPECT_OK(reduce(s, {dst.data(), src.data(), bytes_of(type), kind, type}));
  EXPECT_OK(s.synchronize());
  return element_at(type, contents_of(dst).data());
}

class ReduceElements : public testing::TestWithParam<element> {
 protected:
  // Reduces `count` elements at offsets `to` and `from` of two allocations, with every operation,
  // and compares the whole destination with the expected bytes.
  void expect_reduced(std::size_t count, std::size_t to, std::size_t from) const {
    const element type = GetParam();
    const std::size_t size = count * bytes_of(type);
    const bytes other = numbered(from + size, 11);
    const buffer src = device_holding(other);
    for (const reduce_kind kind : reduce_kinds) {
      bytes wanted = numbered(to + size + 8);
      const buffer dst = device_holding(wanted);
      EXPECT_OK(reduce(s, {dst.data() + to, src.data() + from, size, kind, type}));
      EXPECT_OK(s.synchronize());

      reduce_plainly({&wanted[to], &other[from], size, kind, type});
      const bytes found = contents_of(dst);
      EXPECT_TRUE(same_elements(type, &found[to], &wanted[to], size));
      EXPECT_TRUE(std::equal(found.begin(), found.begin() + static_cast<long>(to), wanted.begin()));
      EXPECT_TRUE(std::equal(found.end() - 8, found.end(), wanted.end() - 8));
    }
  }
  const stream s = new_stream();
};

TEST_P(ReduceElements, MatchReferenceArithmetic) { expect_reduced(64, 0, 0); }

TEST_P(ReduceElements, AnyCountAndAlignmentWorks) {
  for (const std::size_t count : {1, 3, 17, 101, 1023}) {
    expect_reduced(count, 1, 3);
    expect_reduced(count, 6, 0);
  }
}

TEST_P(ReduceElements, MillionElementsWork) { expect_reduced((1U << 20) + 13, 3, 2); }

INSTANTIATE_TEST_SUITE_P(EachType, ReduceElements, testing::ValuesIn(elements));

class Reduce : public testing::Test {
 protected:
  // Integers, whose sums are exact.
  const bytes ones = holding(element::int32, {1, 1, 1, 1});
  const bytes tens = holding(element::int32, {10, 20, 30, 40});
  const bytes sums = holding(element::int32, {11, 21, 31, 41});

  const stream s = new_stream();
  const buffer dst = device_holding(ones);
  const buffer src = device_holding(tens);
  const reduction all{dst.data(), src.data(), 16, reduce_kind::sum, element::int32};

  [[nodiscard]] reduction but(void* to, const void* from) const {
    return {to, from, all.bytes, all.kind, all.type};
  }
};

TEST_F(Reduce, IntegerSumsWrapAround) {
  EXPECT_EQ(reduced(reduce_kind::sum, element::int8, 127, 2), -127);
  EXPECT_EQ(reduced(reduce_kind::sum, element::int16, -32768, -1), 32767);
  EXPECT_EQ(reduced(reduce_kind::sum, element::int32, 2147483647, 1), -2147483648.0);
  EXPECT_EQ(reduced(reduce_kind::sum, element::uint32, 4294967295.0, 3), 2);
}

TEST_F(Reduce, HalfSumsRoundToNearestEven) {
  EXPECT_EQ(reduced(reduce_kind::sum, element::float16, 2048, 1), 2048);
  EXPECT_EQ(reduced(reduce_kind::sum, element::float16, 2050, 1), 2052);
  EXPECT_EQ(reduced(reduce_kind::sum, element::float16, 65504, 16), INFINITY);
  EXPECT_EQ(reduced(reduce_kind::sum, element::float16, 0x1p-24, 0x1p-24), 0x1p-23);
  EXPECT_EQ(reduced(reduce_kind::sum, element::bfloat16, 256, 1), 256);
  EXPECT_EQ(reduced(reduce_kind::sum, element::bfloat16, 258, 1), 260);
}

class ReduceRounding : public own_process {};

// A new thread inherits the floating-point environment of its creator.
TEST_F(ReduceRounding, IgnoresRoundingModeOfProgram) {
  EXPECT_EXIT(
      {
        std::fesetround(FE_UPWARD);
        const stream s = new_stream();
        float there = 1;
        const float other = 0x1p-25F;
        const bool taken = reduce(s, {&there, &other, sizeof other}).ok();
        end_well_if(taken && s.synchronize().ok() && there == 1);
      },
      ended_well, "");
}

TEST_F(Reduce, NanOperandGivesNan) {
  for (const element type : {element::float16, element::bfloat16, element::float32}) {
    for (const reduce_kind kind : reduce_kinds) {
      EXPECT_TRUE(std::isnan(reduced(kind, type, NAN, 1)));
      EXPECT_TRUE(std::isnan(reduced(kind, type, 1, NAN)));
    }
  }
}

TEST_F(Reduce, EqualElementsKeepDestination) {
  for (const element type : {element::float16, element::bfloat16, element::float32}) {
    EXPECT_TRUE(std::signbit(reduced(reduce_kind::max, type, -0.0, 0.0)));
    EXPECT_FALSE(std::signbit(reduced(reduce_kind::min, type, 0.0, -0.0)));
  }
}

TEST_F(Reduce, RunsInStreamOrder) {
  gate closed(s);

  EXPECT_OK(reduce(s, all));
  EXPECT_OK(submit(s, copy{src.data(), dst.data(), 16}));

  EXPECT_EQ(contents_of(dst), ones);
  closed.open();
  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(dst), sums);
  EXPECT_EQ(contents_of(src), sums);
}

TEST_F(Reduce, ZeroBytesDoNothing) {
  EXPECT_OK(reduce(s, {nullptr, nullptr, 0}));

  EXPECT_OK(s.query());
}

TEST_F(Reduce, AcceptsMemoryOfEveryKind) {
  const buffer pinned = pinned_holding(tens);
  bytes own = ones;

  EXPECT_OK(reduce(s, but(own.data(), pinned.data())));
  EXPECT_OK(reduce(s, but(dst.data(), pinned.data())));

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(own, sums);
  EXPECT_EQ(contents_of(dst), sums);
}

TEST_F(Reduce, RangeMayBeItsOwnSource) {
  EXPECT_OK(reduce(s, but(src.data(), src.data())));

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(src), holding(element::int32, {20, 40, 60, 80}));
}

TEST_F(Reduce, PartialOverlapIsRefused) {
  const buffer both = device_holding(zeros(64));

  EXPECT_ANSWER(reduce(s, but(both.data(), both.data() + 12)), errc::invalid_argument);
  EXPECT_ANSWER(reduce(s, but(both.data() + 12, both.data())), errc::invalid_argument);
  EXPECT_OK(reduce(s, but(both.data(), both.data() + 16)));
}

TEST_F(Reduce, PartialElementsAndUnknownTypesFail) {
  reduction half = all;
  half.bytes = 14;
  reduction unknown_type = all;
  unknown_type.type = static_cast<element>(7);
  reduction unknown_kind = all;
  unknown_kind.kind = static_cast<reduce_kind>(3);

  EXPECT_ANSWER(reduce(s, half), errc::invalid_argument);
  EXPECT_ANSWER(reduce(s, unknown_type), errc::invalid_argument);
  EXPECT_ANSWER(reduce(s, unknown_kind), errc::invalid_argument);
  EXPECT_EQ(contents_of(dst), ones);
}

TEST_F(Reduce, NullIsRefused) {
  EXPECT_EQ(reduce(s, but(nullptr, src.data())).error(),
            (status{errc::null_pointer, copy_side::destination}));
  EXPECT_EQ(reduce(s, but(dst.data(), nullptr)).error(),
            (status{errc::null_pointer, copy_side::source}));
}

TEST_F(Reduce, RangeBeyondAllocationIsRefused) {
  EXPECT_EQ(reduce(s, but(dst.data() + 4, src.data())).error(),
            (status{errc::leaves_allocation, copy_side::destination, {}, dst.data() + 4}));
  EXPECT_EQ(reduce(s, but(dst.data(), src.data() + 4)).error(),
            (status{errc::leaves_allocation, copy_side::source, {}, src.data() + 4}));
  EXPECT_OK(s.query());
  EXPECT_EQ(contents_of(dst), ones);
}

TEST_F(Reduce, FreedMemoryIsRefused) {
  void* const gone = must(allocate(first_device, 16));
  EXPECT_OK(deallocate(gone));

  EXPECT_ANSWER(reduce(s, but(dst.data(), gone)), errc::not_an_allocation);
}

TEST_F(Reduce, MemoryFreedAfterSubmissionIsUsable) {
  constexpr std::size_t size = 100'000;
  void* const source = must(allocate(first_device, size));
  put(source, bytes(size, std::byte{3}));
  const buffer target = device_holding(bytes(size, std::byte{4}));
  gate closed(s);
  EXPECT_OK(reduce(s, {target.data(), source, size, reduce_kind::sum, element::int8}));

  EXPECT_OK(deallocate(source));
  const buffer next = device_holding(bytes(size, std::byte{50}));

  closed.open();
  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), bytes(size, std::byte{7}));
}

}  // namespace
}  // namespace convoy
