#include <convoy/convoy.hpp>
#include <future>
#include <thread>

#include "support/contents.hpp"
#include "support/gate.hpp"

namespace convoy {
namespace {

using namespace test;

constexpr std::size_t size = 100'000;

// Allocates memory of the same size repeatedly and overwrites all of it; true when any of it
// overlaps [start, start + size).
bool reused(const void* start) {
  std::vector<buffer> taken;
  bool met = false;
  for (int i = 0; i != 30; ++i) {
    taken.push_back(must(make_device_buffer(first_device, size)));
    put(taken.back().data(), numbered(size, 99));
    met |= taken.back().data() < static_cast<const std::byte*>(start) + size &&
           start < static_cast<const void*>(taken.back().data() + size);
  }
  return met;
}

// The free memory of the first device once no step is pending.
std::size_t room_when_idle() {
  EXPECT_OK(device(first_device).synchronize());
  EXPECT_OK(device(second_device).synchronize());
  return must(memory_stats_of(first_device)).free;
}

TEST(FreedMemory, PendingCopyReadsItBeforeReuse) {
  const stream s = new_stream();
  void* const source = must(allocate(first_device, size));
  put(source, numbered(size));
  const buffer target = device_holding(zeros(size));
  gate closed(s);
  EXPECT_OK(submit(s, copy{target.data(), source, size}));

  EXPECT_OK(deallocate(source));

  EXPECT_FALSE(reused(source));
  closed.open();
  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), numbered(size));
}

TEST(FreedMemory, PendingCopyWritesItBeforeReuse) {
  const stream s = new_stream();
  const bytes source = numbered(size);
  void* const target = must(allocate(first_device, size));
  gate closed(s);
  EXPECT_OK(submit(s, copy{target, source.data(), size}));

  EXPECT_OK(deallocate(target));

  EXPECT_FALSE(reused(target));
  closed.open();
  EXPECT_OK(s.synchronize());
}

TEST(FreedMemory, StreamsOfOtherDevicesDelayReuse) {
  const stream elsewhere = new_stream(second_device);
  void* const source = must(allocate(first_device, size));
  put(source, numbered(size));
  const buffer target = device_holding(zeros(size), second_device);
  gate closed(elsewhere);
  EXPECT_OK(submit(elsewhere, copy{target.data(), source, size}));

  EXPECT_OK(deallocate(source));

  EXPECT_FALSE(reused(source));
  closed.open();
  EXPECT_OK(elsewhere.synchronize());
  EXPECT_EQ(contents_of(target), numbered(size));
}

TEST(FreedMemory, DestroyedStreamsDelayReuse) {
  stream s = new_stream();
  void* const source = must(allocate(first_device, size));
  put(source, numbered(size));
  const buffer target = device_holding(zeros(size));
  const event landed = must(make_event(first_device));
  gate closed(s);
  EXPECT_OK(submit(s, copy{target.data(), source, size}));
  EXPECT_OK(record(s, landed));
  s = {};

  EXPECT_OK(deallocate(source));

  EXPECT_FALSE(reused(source));
  closed.open();
  EXPECT_OK(landed.synchronize());
  EXPECT_EQ(contents_of(target), numbered(size));
}

TEST(FreedMemory, StreamOrderedFreeDelaysReuse) {
  const stream s = new_stream();
  void* const source = must(allocate(s, size));
  put(source, numbered(size));
  const buffer target = device_holding(zeros(size));
  gate closed(s);
  EXPECT_OK(submit(s, copy{target.data(), source, size}));

  EXPECT_OK(deallocate(s, source));

  EXPECT_FALSE(reused(source));
  closed.open();
  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), numbered(size));
}

TEST(FreedMemory, NewCallsAreRefusedAtOnce) {
  const stream s = new_stream();
  const gate closed(s);
  void* const gone = must(allocate(first_device, size));
  void* const gone_in_order = must(allocate(s, size));
  bytes own = zeros(size);

  EXPECT_OK(deallocate(gone));
  EXPECT_OK(deallocate(s, gone_in_order));

  EXPECT_ANSWER(submit(s, copy{own.data(), gone, 1}), errc::not_an_allocation);
  EXPECT_ANSWER(submit(s, copy{own.data(), gone_in_order, 1}), errc::not_an_allocation);
  EXPECT_ANSWER(locate(gone), errc::not_an_allocation);
}

TEST(FreedMemory, IsReusableWhenWorkLanded) {
  const stream s = new_stream();
  const std::size_t before = room_when_idle();
  void* const passing = must(allocate(first_device, 1U << 20));
  gate closed(s);
  EXPECT_OK(deallocate(passing));

  EXPECT_EQ(must(memory_stats_of(first_device)).free, before - (1U << 20));

  closed.open();
  EXPECT_OK(s.synchronize());
  EXPECT_EQ(must(memory_stats_of(first_device)).free, before);
}

TEST(FreedMemory, IsReusableWhenWorkWasAborted) {
  const stream s = new_stream();
  const std::size_t before = room_when_idle();
  void* const passing = must(allocate(first_device, 1U << 20));
  bytes own = zeros(64);
  gate closed(s);
  closed.wait_for_arrival();
  const ticket last = must(submit(s, copy{own.data(), passing, 64}));
  EXPECT_OK(deallocate(passing));

  EXPECT_OK(s.abort());
  closed.open();

  EXPECT_ANSWER(s.synchronize(last), errc::aborted);
  EXPECT_EQ(must(memory_stats_of(first_device)).free, before);
}

TEST(FreedMemory, AllocationWaitsWhenMemoryIsFull) {
  const stream s = new_stream();
  const std::size_t all = room_when_idle();
  void* const everything = must(allocate(first_device, all));
  gate closed(s);
  EXPECT_OK(deallocate(everything));

  std::thread opener([&] { closed.open(); });
  const auto again = allocate(first_device, all);
  opener.join();

  EXPECT_OK(again);
  EXPECT_OK(deallocate(*again));
}

TEST(FreedMemory, IsReusableAtOnceWhenIdle) {
  const std::size_t before = room_when_idle();

  for (int i = 0; i != 100; ++i) EXPECT_OK(deallocate(must(allocate(first_device, 1U << 20))));

  EXPECT_EQ(must(memory_stats_of(first_device)).free, before);
}

// An object, and a future that is ready when the last reference to it is released.
std::pair<std::shared_ptr<const void>, std::future<void>> tracked_object() {
  auto gone = std::make_shared<std::promise<void>>();
  auto known = gone->get_future();
  return {std::shared_ptr<const void>(gone.get(), [gone](const void*) { gone->set_value(); }),
          std::move(known)};
}

bool is_released(const std::future<void>& known) {
  return known.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

TEST(KeepAlive, ReleasesWhenStepLands) {
  const stream s = new_stream();
  auto [object, released] = tracked_object();
  gate closed(s);
  const ticket last = must(call(s, [] {}));
  EXPECT_OK(keep_alive(s, last, std::move(object)));

  EXPECT_FALSE(is_released(released));
  closed.open();

  released.wait();
}

TEST(KeepAlive, LandedStepReleasesAtOnce) {
  const stream s = new_stream();
  auto [object, released] = tracked_object();
  const ticket last = must(call(s, [] {}));
  EXPECT_OK(s.synchronize());

  EXPECT_OK(keep_alive(s, last, std::move(object)));

  EXPECT_TRUE(is_released(released));
}

TEST(KeepAlive, DoesNotWaitForLaterSteps) {
  const stream s = new_stream();
  auto [object, released] = tracked_object();
  gate first(s);
  const gate second(s);
  EXPECT_OK(keep_alive(s, first.at(), std::move(object)));

  first.open();

  released.wait();
}

TEST(KeepAlive, AbortReleasesAfterRunningStep) {
  const stream s = new_stream();
  auto [before, before_released] = tracked_object();
  auto [after, after_released] = tracked_object();
  gate closed(s);
  closed.wait_for_arrival();
  const ticket dropped = must(call(s, [] {}));
  EXPECT_OK(keep_alive(s, dropped, std::move(before)));

  EXPECT_OK(s.abort());
  EXPECT_OK(keep_alive(s, dropped, std::move(after)));

  EXPECT_FALSE(is_released(before_released));
  EXPECT_FALSE(is_released(after_released));
  closed.open();
  before_released.wait();
  after_released.wait();
}

TEST(KeepAlive, AddsNoStep) {
  const stream s = new_stream();
  gate closed(s);

  EXPECT_OK(keep_alive(s, closed.at(), tracked_object().first));

  EXPECT_EQ(number(must(call(s, [] {}))), number(closed.at()) + 1);
}

TEST(KeepAlive, UnknownTicketIsRefused) {
  const stream s = new_stream();
  auto [object, released] = tracked_object();

  EXPECT_ANSWER(keep_alive(s, ticket{1}, std::move(object)), errc::invalid_argument);

  EXPECT_TRUE(is_released(released));
}

}  // namespace
}  // namespace convoy
