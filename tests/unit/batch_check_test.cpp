#include "model/batch_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "support/outcome.hpp"

namespace convoy::test {
namespace {

std::vector<attribute_run> runs_from(std::initializer_list<std::size_t> firsts) {
  std::vector<attribute_run> made;
  for (const std::size_t first : firsts) made.emplace_back().first = first;
  return made;
}

attribute_run run_with(source_access order) {
  attribute_run made;
  made.attrs.order = order;
  return made;
}

status shape(std::size_t count, const std::vector<attribute_run>& runs,
             const batch_rules& rules = native_rules) {
  return check_shape(count, runs, rules);
}

TEST(BatchShape, NeedsACopy) { EXPECT_ANSWER(shape(0, {}), errc::invalid_argument); }

TEST(BatchShape, CopyCountIsLimitedByRules) {
  const batch_rules few{.max_copies = 4};

  EXPECT_OK(shape(4, {}, few));
  EXPECT_ANSWER(shape(5, {}, few), errc::too_many_copies);
}

TEST(BatchShape, RunsAreOptionalUnlessRequired) {
  EXPECT_OK(shape(1, {}, native_rules));
  EXPECT_ANSWER(shape(1, {}, cuda_rules), errc::invalid_runs);
  EXPECT_ANSWER(shape(1, {}, ascend_rules), errc::invalid_runs);
}

TEST(BatchShape, FirstRunStartsAtCopyZero) {
  EXPECT_OK(shape(3, runs_from({0})));
  EXPECT_ANSWER(shape(3, runs_from({1})), errc::invalid_runs);
}

TEST(BatchShape, RunsMustRise) {
  EXPECT_OK(shape(3, runs_from({0, 1, 2})));
  EXPECT_ANSWER(shape(3, runs_from({0, 1, 1})), errc::invalid_runs);
  EXPECT_ANSWER(shape(3, runs_from({0, 2, 1})), errc::invalid_runs);
}

TEST(BatchShape, LastRunStartsAtSomeCopy) {
  EXPECT_OK(shape(3, runs_from({0, 2})));
  EXPECT_ANSWER(shape(3, runs_from({0, 3})), errc::invalid_runs);
  EXPECT_ANSWER(shape(1, runs_from({0, SIZE_MAX})), errc::invalid_runs);
}

TEST(BatchShape, AccessOrderIsOneOfThree) {
  for (const auto order : {source_access::stream, source_access::during_call, source_access::any}) {
    EXPECT_OK(shape(1, {run_with(order)}));
  }
  EXPECT_ANSWER(shape(1, {run_with(source_access::invalid)}), errc::invalid_access_order);
  EXPECT_ANSWER(shape(1, {run_with(source_access{4})}), errc::invalid_access_order);
}

TEST(BatchShape, EveryRunIsChecked) {
  auto runs = runs_from({0, 1, 2});
  runs[2].attrs.order = source_access::invalid;

  EXPECT_ANSWER(shape(3, runs), errc::invalid_access_order);
}

TEST(BatchArrays, HaveOneLength) {
  std::vector<void*> dsts(3);
  std::vector<const void*> srcs(3);
  std::vector<std::size_t> sizes(3);

  EXPECT_TRUE(arrays_match({dsts, srcs, sizes, {}, {}}));
  EXPECT_TRUE(arrays_match({dsts, srcs, sizes, sizes, {}}));
  EXPECT_FALSE(arrays_match({std::span(dsts).first(2), srcs, sizes, {}, {}}));
  EXPECT_FALSE(arrays_match({dsts, std::span(srcs).first(2), sizes, {}, {}}));
  EXPECT_FALSE(arrays_match({dsts, srcs, sizes, std::span(sizes).first(2), {}}));
}

TEST(Direction, ManagedMemoryCountsAsDevice) {
  constexpr std::array hosts{memory_kind::pageable, memory_kind::pinned, memory_kind::registered};
  constexpr std::array others{memory_kind::device, memory_kind::managed};
  for (const auto host : hosts) {
    EXPECT_EQ(direction_between(host, hosts[0]), direction::host_to_host);
    for (const auto other : others) {
      EXPECT_EQ(direction_between(host, other), direction::host_to_device);
      EXPECT_EQ(direction_between(other, host), direction::device_to_host);
      EXPECT_EQ(direction_between(other, others[0]), direction::device_to_device);
    }
  }
}

TEST(Directions, AreASet) {
  constexpr directions some = directions{}.with(direction::host_to_device);

  EXPECT_TRUE(some.has(direction::host_to_device));
  EXPECT_FALSE(some.has(direction::device_to_host));
  EXPECT_TRUE(directions::all().has(direction::device_to_device));
}

memory_class in(memory_kind kind, int device = 0) { return {kind, device_id{device}}; }

TEST(Location, UnspecifiedMatchesAnyMemory) {
  for (int kind = 0; kind != 5; ++kind) EXPECT_TRUE(matches(in(memory_kind(kind)), {}));
}

TEST(Location, HostMatchesOnlyHostMemory) {
  for (const auto type : {location_type::host, location_type::host_numa}) {
    EXPECT_TRUE(matches(in(memory_kind::pageable), {type}));
    EXPECT_TRUE(matches(in(memory_kind::pinned), {type}));
    EXPECT_TRUE(matches(in(memory_kind::registered), {type}));
    EXPECT_FALSE(matches(in(memory_kind::managed), {type}));
    EXPECT_FALSE(matches(in(memory_kind::device), {type}));
  }
}

TEST(Location, DeviceMatchesOnlyThatDevice) {
  EXPECT_TRUE(matches(in(memory_kind::device, 1), {location_type::device, 1}));
  EXPECT_FALSE(matches(in(memory_kind::device, 0), {location_type::device, 1}));
  EXPECT_FALSE(matches(in(memory_kind::managed, 1), {location_type::device, 1}));
  EXPECT_FALSE(matches(in(memory_kind::pinned, 1), {location_type::device, 1}));
}

TEST(Location, ManagedMatchesOnlyManagedMemory) {
  EXPECT_TRUE(matches(in(memory_kind::managed), {location_type::managed}));
  EXPECT_FALSE(matches(in(memory_kind::device), {location_type::managed}));
}

TEST(Location, UnknownKindMatchesNothing) {
  EXPECT_FALSE(matches(in(memory_kind::pageable), {location_type{9}}));
}

route from_to(const memory_class& src, const memory_class& dst) { return {src, dst}; }

TEST(Route, OnlyAllowedDirectionsPass) {
  const route back_home = from_to(in(memory_kind::pinned), in(memory_kind::pageable));

  EXPECT_OK(check_route(back_home, {}, cuda_rules, {}));
  EXPECT_ANSWER(check_route(back_home, {}, ascend_rules, {}), errc::wrong_direction);
}

TEST(Route, OneDirectionRuleFollowsFirstCopy) {
  const route up = from_to(in(memory_kind::pinned), in(memory_kind::device));

  EXPECT_OK(check_route(up, {}, ascend_rules, direction::host_to_device));
  EXPECT_ANSWER(check_route(up, {}, ascend_rules, direction::device_to_host),
                errc::mixed_directions);
  EXPECT_OK(check_route(up, {}, cuda_rules, direction::device_to_host));
}

TEST(Route, LocationsBindOnlyUnderTheRule) {
  const route up = from_to(in(memory_kind::pinned), in(memory_kind::device));
  const attributes elsewhere{.dst_hint = {location_type::device, 1}};

  EXPECT_OK(check_route(up, elsewhere, cuda_rules, {}));
  EXPECT_EQ(check_route(up, elsewhere, ascend_rules, {}),
            (status{errc::wrong_location, copy_side::destination}));
}

TEST(Route, ErrorNamesTheWrongSide) {
  const route up = from_to(in(memory_kind::pinned), in(memory_kind::device));
  const attributes elsewhere{.src_hint = {location_type::device, 0}};

  EXPECT_EQ(check_route(up, elsewhere, ascend_rules, {}),
            (status{errc::wrong_location, copy_side::source}));
}

TEST(Route, PeerRuleDemandsPeerAccess) {
  const batch_rules strict{.peers_need_access = true};
  route across = from_to(in(memory_kind::device, 0), in(memory_kind::device, 1));
  EXPECT_OK(check_route(across, {}, strict, {}));

  across.peers_connected = false;
  EXPECT_ANSWER(check_route(across, {}, strict, {}), errc::no_peer_access);
  EXPECT_OK(check_route(across, {}, native_rules, {}));
}

TEST(Route, SameDeviceNeedsNoPeerAccess) {
  route inside = from_to(in(memory_kind::device, 1), in(memory_kind::device, 1));
  inside.peers_connected = false;

  EXPECT_OK(check_route(inside, {}, {.peers_need_access = true}, {}));
}

class Extent : public testing::Test {
 protected:
  std::array<std::byte, 8> src_ = {};
  std::array<std::byte, 8> dst_ = {};
  const copy all_{dst_.data(), src_.data(), 8};
};

TEST_F(Extent, NeedsBothPointers) {
  EXPECT_OK(check_extent(all_));
  EXPECT_EQ(check_extent({nullptr, src_.data(), 8}),
            (status{errc::null_pointer, copy_side::destination}));
  EXPECT_EQ(check_extent({dst_.data(), nullptr, 8}),
            (status{errc::null_pointer, copy_side::source}));
}

TEST_F(Extent, FitsItsCapacity) {
  EXPECT_OK(check_extent(all_, 8));
  EXPECT_EQ(check_extent(all_, 7),
            (status{errc::size_exceeds_capacity, copy_side::destination, {}, dst_.data()}));
}

TEST(MakeBatch, CopiesItsArguments) {
  std::vector<copy> copies{{nullptr, nullptr, 3}, {nullptr, nullptr, 4}};
  auto runs = runs_from({0, 1});

  const batch made = must(make_batch(copies, runs));
  copies.clear();
  runs.clear();

  EXPECT_EQ(made.copies().size(), 2U);
  EXPECT_EQ(made.runs().size(), 2U);
  EXPECT_EQ(made.bytes(), 7U);
}

TEST(MakeBatch, RefusesABadShape) {
  const std::vector<copy> copies(2);

  EXPECT_ANSWER(make_batch({}), errc::invalid_argument);
  EXPECT_ANSWER(make_batch(copies, runs_from({1})), errc::invalid_runs);
  EXPECT_ANSWER(make_batch(copies, std::vector{run_with(source_access::invalid)}),
                errc::invalid_access_order);
}

}  // namespace
}  // namespace convoy::test
