#include <convoy/convoy.hpp>
#include <string>
#include <tuple>

#include "support/contents.hpp"
#include "support/gate.hpp"
#include "support/memory_kinds.hpp"

namespace convoy {
namespace {

using namespace test;

class CopyBetween : public testing::TestWithParam<std::tuple<test_kind, test_kind>> {};

TEST_P(CopyBetween, EveryByteLandsAndNoOther) {
  const auto& [from, to] = GetParam();
  const stream s = new_stream();
  memory_of_kind source(from, numbered(1000));
  memory_of_kind target(to, zeros(1000));

  EXPECT_OK(copy_sync(s, {target.data() + 1, source.data() + 3, 900}));

  bytes wanted = zeros(1000);
  const bytes all = numbered(1000);
  std::copy_n(all.begin() + 3, 900, wanted.begin() + 1);
  EXPECT_EQ(target.contents(), wanted);
}

const auto every_kind =
    testing::Values(test_kind::device_0, test_kind::device_1, test_kind::pinned,
                    test_kind::registered, test_kind::managed, test_kind::pageable);

std::string route_name(const testing::TestParamInfo<std::tuple<test_kind, test_kind>>& route) {
  static constexpr const char* names[] = {"Device0",    "Device1", "Pinned",
                                          "Registered", "Managed", "Pageable"};
  const auto& [from, to] = route.param;
  return std::string(names[static_cast<int>(from)]) + "To" + names[static_cast<int>(to)];
}

INSTANTIATE_TEST_SUITE_P(Copies, CopyBetween, testing::Combine(every_kind, every_kind), route_name);

class CopyOfSize : public testing::TestWithParam<std::size_t> {};

TEST_P(CopyOfSize, EveryByteLandsAndNoOther) {
  const std::size_t size = GetParam();
  const stream s = new_stream();
  const bytes source = numbered(size);
  const buffer target = device_holding(zeros(size + 2));

  EXPECT_OK(copy_sync(s, {target.data() + 1, source.data(), size}));

  bytes wanted = zeros(size + 2);
  std::copy(source.begin(), source.end(), wanted.begin() + 1);
  EXPECT_TRUE(contents_of(target) == wanted);
}

INSTANTIATE_TEST_SUITE_P(Copies, CopyOfSize,
                         testing::Values(1, 2, 3, 7, 8, 9, 31, 63, 64, 65, 255, 4095, 4097, 100'001,
                                         (1U << 20) + 1, (9U << 20) + 5));

TEST(Copy, CallReturnsBeforeLanding) {
  const stream s = new_stream();
  const bytes source = numbered(64);
  const buffer target = device_holding(zeros(64));
  gate closed(s);

  const ticket at = must(submit(s, copy{target.data(), source.data(), 64}));

  EXPECT_FALSE(must(s.landed(at)));
  EXPECT_EQ(contents_of(target), zeros(64));
  closed.open();
  EXPECT_OK(s.synchronize(at));
  EXPECT_EQ(contents_of(target), source);
}

TEST(Copy, ZeroBytesDoNothing) {
  const stream s = new_stream();

  EXPECT_OK(submit(s, copy{nullptr, nullptr, 0}));

  EXPECT_OK(s.query());
}

TEST(Copy, NullIsRefused) {
  const stream s = new_stream();
  bytes own = zeros(64);

  const status no_source = submit(s, copy{own.data(), nullptr, 64}).error();
  const status no_target = submit(s, copy{nullptr, own.data(), 64}).error();

  EXPECT_EQ(no_source.code, errc::null_pointer);
  EXPECT_EQ(no_source.side, copy_side::source);
  EXPECT_EQ(no_target.code, errc::null_pointer);
  EXPECT_EQ(no_target.side, copy_side::destination);
}

TEST(Copy, RangeBeyondAllocationIsRefused) {
  const stream s = new_stream();
  const buffer small = device_holding(zeros(100));
  const buffer large = device_holding(numbered(200));

  const status too_long = submit(s, copy{small.data(), large.data(), 101}).error();
  const status too_late = submit(s, copy{large.data(), small.data() + 1, 100}).error();

  EXPECT_EQ(too_long, (status{errc::leaves_allocation, copy_side::destination, 0, small.data()}));
  EXPECT_EQ(too_late, (status{errc::leaves_allocation, copy_side::source, 0, small.data() + 1}));
  EXPECT_EQ(contents_of(small), zeros(100));
}

TEST(Copy, FreedSourceIsRefused) {
  const stream s = new_stream();
  bytes own = zeros(64);
  void* const freed = must(allocate(first_device, 64));
  EXPECT_OK(deallocate(freed));

  EXPECT_EQ(submit(s, copy{own.data(), freed, 64}).error(),
            (status{errc::not_an_allocation, copy_side::source, 0, freed}));
}

TEST(Copy, RangeBeyondRegistrationIsRefused) {
  const stream s = new_stream();
  bytes own = zeros(300);
  const bytes source = numbered(300);
  EXPECT_OK(pin(own.data() + 100, 100));

  EXPECT_ANSWER(submit(s, copy{own.data() + 100, source.data(), 101}), errc::leaves_allocation);
  EXPECT_ANSWER(submit(s, copy{own.data(), source.data(), 101}), errc::leaves_allocation);
  EXPECT_OK(copy_sync(s, {own.data() + 100, source.data(), 100}));

  EXPECT_OK(unpin(own.data() + 100));
}

}  // namespace
}  // namespace convoy
