#include <convoy/convoy.hpp>
#include <future>
#include <thread>

#include "support/arrays.hpp"
#include "support/contents.hpp"
#include "support/gate.hpp"
#include "support/short_wait.hpp"

namespace convoy {
namespace {

using namespace test;

constexpr location on_host{location_type::host, 0};
constexpr location on_first{location_type::device, 0};
constexpr location on_second{location_type::device, 1};

// 64 bytes of pinned memory and of memory of each device.
class BatchRules : public testing::Test {
 protected:
  [[nodiscard]] copy up() const { return {target.data(), host.data(), 8}; }
  [[nodiscard]] copy down() const { return {host.data() + 8, target.data() + 8, 8}; }
  [[nodiscard]] copy across() const { return {peer.data(), target.data() + 16, 8}; }
  [[nodiscard]] copy within_host() const { return {host.data() + 16, host.data() + 24, 8}; }
  [[nodiscard]] copy nothing() const { return {target.data(), host.data(), 0}; }

  [[nodiscard]] result<ticket> submit_with(const batch_rules& rules,
                                           std::initializer_list<copy> copies,
                                           const attributes& attrs = {}) const {
    return submit(s, arrays(copies, {{0, attrs}}).view(), rules);
  }

  const stream s = new_stream();
  const buffer host = pinned_holding(numbered(64));
  const buffer target = device_holding(zeros(64));
  const buffer peer = device_holding(zeros(64), second_device);
};

TEST_F(BatchRules, ZeroSizesAreSkipped) {
  constexpr batch_rules rules{.zeros = zero_sizes::skipped};

  EXPECT_OK(submit_with(rules, {nothing(), up(), {nullptr, nullptr, 0}}));
  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target.data(), 8), numbered(8));

  EXPECT_OK(submit_with(rules, {nothing(), nothing()}));
}

TEST_F(BatchRules, RefusedZeroSizeNamesItem) {
  constexpr batch_rules rules{.zeros = zero_sizes::refused};

  EXPECT_EQ(submit_with(rules, {up(), nothing()}).error(), (status{errc::zero_size, {}, 1}));
  EXPECT_EQ(submit_with(rules, {nothing(), nothing()}).error(), (status{errc::zero_size, {}, 0}));
  EXPECT_OK(s.query());
  EXPECT_EQ(contents_of(target), zeros(64));
}

TEST_F(BatchRules, SomeZeroSizesCanBeRefused) {
  constexpr batch_rules rules{.zeros = zero_sizes::refused_unless_all};

  EXPECT_EQ(submit_with(rules, {up(), nothing()}).error(), (status{errc::zero_size, {}, 1}));
  EXPECT_OK(submit_with(rules, {nothing(), nothing()}));
  EXPECT_OK(s.query());
}

TEST_F(BatchRules, OnlyAllowedDirectionsPass) {
  constexpr batch_rules up_only{.allowed = directions{}.with(direction::host_to_device)};
  constexpr batch_rules inside_only{
      .allowed = directions{}.with(direction::host_to_host).with(direction::device_to_device)};

  EXPECT_OK(submit_with(up_only, {up()}));
  EXPECT_EQ(submit_with(up_only, {up(), down()}).error().code, errc::wrong_direction);
  EXPECT_EQ(submit_with(up_only, {up(), down()}).error().item, 1U);
  EXPECT_ANSWER(submit_with(up_only, {across()}), errc::wrong_direction);
  EXPECT_ANSWER(submit_with(up_only, {within_host()}), errc::wrong_direction);
  EXPECT_OK(submit_with(inside_only, {across(), within_host()}));
  EXPECT_ANSWER(submit_with(inside_only, {up()}), errc::wrong_direction);
  EXPECT_OK(s.synchronize());
}

TEST_F(BatchRules, OneDirectionRefusesMixedDirections) {
  constexpr batch_rules rules{.one_direction = true};

  const status mixed = submit_with(rules, {up(), up(), down()}).error();

  EXPECT_EQ(mixed.code, errc::mixed_directions);
  EXPECT_EQ(mixed.item, 2U);
  EXPECT_OK(submit_with(rules, {up(), up()}));
  EXPECT_OK(submit_with(rules, {down(), down()}));
  EXPECT_OK(submit_with({.one_direction = false}, {up(), down()}));
  EXPECT_OK(s.synchronize());
}

TEST_F(BatchRules, LocationsAreHintsByDefault) {
  const attributes wrong{.src_hint = on_second, .dst_hint = on_host};

  EXPECT_OK(submit_with({.locations_bind = false}, {up()}, wrong));
  EXPECT_ANSWER(submit_with({.locations_bind = true}, {up()}, wrong), errc::wrong_location);
  EXPECT_OK(s.synchronize());
}

TEST_F(BatchRules, BindingLocationsMustMatchPointers) {
  constexpr batch_rules rules{.locations_bind = true};

  const status bad_source =
      submit_with(rules, {up()}, {.src_hint = on_first, .dst_hint = on_first}).error();
  const status bad_target =
      submit_with(rules, {up()}, {.src_hint = on_host, .dst_hint = on_second}).error();

  EXPECT_EQ(bad_source, (status{errc::wrong_location, copy_side::source, 0, host.data()}));
  EXPECT_EQ(bad_target, (status{errc::wrong_location, copy_side::destination, 0, target.data()}));
  EXPECT_OK(submit_with(rules, {up()}, {.src_hint = on_host, .dst_hint = on_first}));
  EXPECT_OK(submit_with(rules, {across()}, {.src_hint = on_first, .dst_hint = on_second}));
  EXPECT_OK(submit_with(rules, {up()}));
  EXPECT_OK(s.synchronize());
}

TEST_F(BatchRules, EachRunHasItsOwnLocations) {
  const attributes upwards{.src_hint = on_host, .dst_hint = on_first};
  const attributes downwards{.src_hint = on_first, .dst_hint = on_host};
  arrays right({up(), down()}, {{0, upwards}, {1, downwards}});
  arrays wrong({up(), down()}, {{0, upwards}, {1, upwards}});

  EXPECT_OK(submit(s, right.view(), {.locations_bind = true}));
  EXPECT_EQ(submit(s, wrong.view(), {.locations_bind = true}).error().item, 1U);
  EXPECT_OK(s.synchronize());
}

TEST_F(BatchRules, PeerCopiesNeedAccessWhenRequired) {
  constexpr batch_rules rules{.peers_need_access = true};
  const device first(first_device);

  EXPECT_OK(submit_with({.peers_need_access = false}, {across()}));
  EXPECT_ANSWER(submit_with(rules, {across()}), errc::no_peer_access);
  EXPECT_OK(submit_with(rules, {up()}));

  EXPECT_OK(first.enable_access(second_device));
  EXPECT_OK(submit_with(rules, {across()}));
  EXPECT_OK(first.disable_access(second_device));
  EXPECT_ANSWER(submit_with(rules, {across()}), errc::no_peer_access);
  EXPECT_OK(s.synchronize());
}

TEST_F(BatchRules, MaxCopiesLimitsBatch) {
  constexpr batch_rules rules{.max_copies = 2};

  EXPECT_OK(submit_with(rules, {up(), down()}));
  EXPECT_ANSWER(submit_with(rules, {up(), down(), across()}), errc::too_many_copies);
  EXPECT_OK(s.synchronize());
}

TEST_F(BatchRules, PageableMemoryBlocksUntilLanded) {
  const bytes source = numbered(64);
  gate closed(s);
  std::promise<result<ticket>> promise;
  auto answer = promise.get_future();

  std::thread caller([&] {
    promise.set_value(
        submit(s, arrays{{target.data(), source.data(), 64}}.view(), {.pageable_blocks = true}));
  });
  EXPECT_EQ(answer.wait_for(short_wait), std::future_status::timeout);
  EXPECT_EQ(contents_of(target), zeros(64));
  closed.open();
  caller.join();

  const ticket at = must(answer.get());
  EXPECT_TRUE(must(s.landed(at)));
  EXPECT_EQ(contents_of(target), source);
}

TEST_F(BatchRules, PinnedMemoryDoesNotBlock) {
  constexpr batch_rules rules{.pageable_blocks = true};
  bytes own = zeros(64);
  EXPECT_OK(pin(own.data(), 64));
  gate closed(s);

  const ticket at = must(submit_with(rules, {up(), {own.data(), target.data() + 8, 8}}));

  EXPECT_FALSE(must(s.landed(at)));
  closed.open();
  EXPECT_OK(s.synchronize());
  EXPECT_OK(unpin(own.data()));
}

TEST_F(BatchRules, PageableMemoryMayReturnAtOnce) {
  const bytes source = numbered(64);
  gate closed(s);

  EXPECT_OK(submit_with({.pageable_blocks = false}, {{target.data(), source.data(), 64}}));

  closed.open();
  EXPECT_OK(s.synchronize());
}

TEST_F(BatchRules, NativeRulesAcceptEverything) {
  const attributes wrong{.src_hint = on_second, .dst_hint = on_second};

  EXPECT_OK(submit_with(native_rules, {up(), down(), across(), within_host(), nothing()}, wrong));

  EXPECT_OK(s.synchronize());
}

TEST_F(BatchRules, CudaRulesNeedRunsAndSizes) {
  EXPECT_OK(submit_with(cuda_rules, {up(), down(), across(), within_host()}));
  EXPECT_ANSWER(submit_with(cuda_rules, {up(), nothing()}), errc::zero_size);
  EXPECT_ANSWER(submit_with(cuda_rules, {nothing()}), errc::zero_size);
  EXPECT_ANSWER(submit(s, arrays({up()}, {}).view(), cuda_rules), errc::invalid_runs);
  EXPECT_OK(s.synchronize());
}

TEST_F(BatchRules, AscendRulesNeedOneDirection) {
  const attributes upwards{.src_hint = on_host, .dst_hint = on_first};

  EXPECT_OK(submit_with(ascend_rules, {up(), up()}, upwards));
  EXPECT_ANSWER(submit_with(ascend_rules, {up(), down()}), errc::mixed_directions);
  EXPECT_ANSWER(submit_with(ascend_rules, {across()}), errc::wrong_direction);
  EXPECT_ANSWER(submit_with(ascend_rules, {within_host()}), errc::wrong_direction);
  EXPECT_ANSWER(submit_with(ascend_rules, {down()}, upwards), errc::wrong_location);
  EXPECT_ANSWER(submit_with(ascend_rules, {up(), nothing()}), errc::zero_size);
  EXPECT_OK(submit_with(ascend_rules, {nothing(), nothing()}));
  EXPECT_ANSWER(submit(s, arrays({up()}, {}).view(), ascend_rules), errc::invalid_runs);
  EXPECT_OK(s.synchronize());
}

}  // namespace
}  // namespace convoy
