#include <convoy/convoy.hpp>

#include "support/contents.hpp"
#include "support/gate.hpp"
#include "support/short_wait.hpp"

namespace convoy {
namespace {

using namespace test;
using std::chrono::nanoseconds;

event new_event(device_id device = first_device, event_options options = {}) {
  return must(make_event(device, options));
}

TEST(Event, CompletesWhenEarlierStepsLand) {
  const stream s = new_stream();
  const event e = new_event();
  gate closed(s);

  EXPECT_OK(record(s, e));
  EXPECT_ANSWER(e.query(), errc::not_ready);

  closed.open();
  EXPECT_OK(e.synchronize());
  EXPECT_OK(e.query());
}

TEST(Event, IsCompleteOnceStreamIsDone) {
  const stream s = new_stream();
  const event e = new_event();

  for (int i = 0; i != 500; ++i) {
    EXPECT_OK(call(s, [] {}));
    EXPECT_OK(record(s, e));
    EXPECT_OK(s.synchronize());
    EXPECT_OK(e.query());
  }
}

TEST(Event, DoesNotWaitForLaterSteps) {
  const stream s = new_stream();
  const event e = new_event();
  EXPECT_OK(record(s, e));

  const gate closed(s);

  EXPECT_OK(e.synchronize());
}

TEST(Event, UnrecordedEventIsComplete) {
  const stream s = new_stream();
  const event e = new_event();

  EXPECT_OK(e.query());
  EXPECT_OK(e.synchronize());
  EXPECT_OK(wait(s, e));
  EXPECT_OK(s.synchronize());
}

TEST(Event, SynchronizeTimesOut) {
  const stream s = new_stream();
  const event e = new_event();
  gate closed(s);
  EXPECT_OK(record(s, e));

  EXPECT_ANSWER(e.synchronize(short_wait), errc::timed_out);

  closed.open();
  EXPECT_OK(e.synchronize(std::chrono::hours(1)));
}

TEST(Event, RecordOnOtherDeviceIsRefused) {
  const stream elsewhere = new_stream(second_device);
  const event e = new_event(first_device);

  EXPECT_ANSWER(record(elsewhere, e), errc::wrong_device);
  EXPECT_OK(e.query());
}

TEST(Event, UnknownDeviceIsRefused) {
  EXPECT_ANSWER(make_event(device_id{max_devices}), errc::invalid_device);
}

TEST(EventWait, HoldsStreamUntilEventCompletes) {
  const stream before = new_stream();
  const stream after = new_stream();
  const event e = new_event();
  const bytes source = numbered(64);
  const buffer target = device_holding(zeros(64));
  bytes seen = zeros(64);
  gate closed(before);
  EXPECT_OK(submit(before, copy{target.data(), source.data(), 64}));
  EXPECT_OK(record(before, e));

  EXPECT_OK(wait(after, e));
  EXPECT_OK(submit(after, copy{seen.data(), target.data(), 64}));

  EXPECT_ANSWER(after.synchronize(short_wait), errc::timed_out);
  closed.open();
  EXPECT_OK(after.synchronize());
  EXPECT_EQ(seen, source);
}

TEST(EventWait, HoldsStreamOfOtherDevice) {
  const stream before = new_stream(first_device);
  const stream after = new_stream(second_device);
  const event e = new_event(first_device);
  gate closed(before);
  EXPECT_OK(record(before, e));

  EXPECT_OK(wait(after, e));

  EXPECT_ANSWER(after.synchronize(short_wait), errc::timed_out);
  closed.open();
  EXPECT_OK(after.synchronize());
}

TEST(EventWait, EarlierStepsAreNotHeld) {
  const stream held = new_stream();
  const stream waiting = new_stream();
  const event e = new_event();
  const gate closed(held);
  EXPECT_OK(record(held, e));

  const ticket before = must(call(waiting, [] {}));
  EXPECT_OK(wait(waiting, e));

  EXPECT_OK(waiting.synchronize(before));
}

TEST(EventWait, LaterRecordingDoesNotMoveIt) {
  const stream recorded = new_stream();
  const stream waiting = new_stream();
  const event e = new_event();
  gate first(recorded);
  EXPECT_OK(record(recorded, e));
  EXPECT_OK(wait(waiting, e));
  const gate second(recorded);
  EXPECT_OK(record(recorded, e));

  first.open();

  EXPECT_OK(waiting.synchronize());
  EXPECT_ANSWER(e.query(), errc::not_ready);
}

TEST(EventWait, WaitsForLatestRecording) {
  const stream recorded = new_stream();
  const stream waiting = new_stream();
  const event e = new_event();
  EXPECT_OK(record(recorded, e));
  gate closed(recorded);
  EXPECT_OK(record(recorded, e));

  EXPECT_OK(wait(waiting, e));

  EXPECT_ANSWER(waiting.synchronize(short_wait), errc::timed_out);
  closed.open();
  EXPECT_OK(waiting.synchronize());
}

TEST(EventWait, OutlivesTheEvent) {
  const stream recorded = new_stream();
  const stream waiting = new_stream();
  event e = new_event();
  gate closed(recorded);
  EXPECT_OK(record(recorded, e));
  EXPECT_OK(wait(waiting, e));

  e = {};

  EXPECT_ANSWER(waiting.synchronize(short_wait), errc::timed_out);
  closed.open();
  EXPECT_OK(waiting.synchronize());
}

TEST(EventWait, OutlivesTheRecordedStream) {
  stream recorded = new_stream();
  const stream waiting = new_stream();
  const event e = new_event();
  gate closed(recorded);
  EXPECT_OK(record(recorded, e));
  EXPECT_OK(wait(waiting, e));

  recorded = {};

  EXPECT_ANSWER(waiting.synchronize(short_wait), errc::timed_out);
  closed.open();
  EXPECT_OK(waiting.synchronize());
  EXPECT_OK(e.synchronize());
}

TEST(EventWait, ChainsThroughManyStreams) {
  constexpr std::size_t links = 100;
  std::vector<stream> chain;
  std::vector<event> reached;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i != links; ++i) {
    chain.push_back(new_stream(i % 2 == 0 ? first_device : second_device));
    reached.push_back(new_event(i % 2 == 0 ? first_device : second_device));
  }
  gate closed(chain.front());

  for (std::size_t i = 0; i != links; ++i) {
    EXPECT_OK(wait(chain[i], reached[i == 0 ? 0 : i - 1]));
    EXPECT_OK(call(chain[i], [&order, i] { order.push_back(i); }));
    EXPECT_OK(record(chain[i], reached[i]));
  }
  closed.open();

  EXPECT_OK(chain.back().synchronize());
  EXPECT_EQ(order.size(), links);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(Elapsed, MeasuresTimeBetweenEvents) {
  const stream s = new_stream();
  const event start = new_event();
  const event end = new_event();
  EXPECT_OK(record(s, start));
  gate closed(s);
  EXPECT_OK(record(s, end));

  EXPECT_OK(start.synchronize());
  const auto from = std::chrono::steady_clock::now();
  EXPECT_ANSWER(s.query(), errc::not_ready);
  const auto to = std::chrono::steady_clock::now();
  closed.open();

  EXPECT_OK(end.synchronize());
  EXPECT_GE(must(elapsed(start, end)), to - from);
  EXPECT_LE(must(elapsed(end, start)), from - to);
}

TEST(Elapsed, IsKnownOnceEndCompletes) {
  const stream s = new_stream();
  const event start = new_event();
  const event end = new_event();

  for (int i = 0; i != 500; ++i) {
    EXPECT_OK(record(s, start));
    EXPECT_OK(call(s, [] {}));
    EXPECT_OK(record(s, end));
    EXPECT_OK(end.synchronize());
    EXPECT_GE(must(elapsed(start, end)), nanoseconds(0));
  }
}

TEST(Elapsed, NeedsRecordedEvents) {
  const stream s = new_stream();
  const event recorded = new_event();
  const event never = new_event();
  EXPECT_OK(record(s, recorded));
  EXPECT_OK(s.synchronize());

  EXPECT_ANSWER(elapsed(recorded, never), errc::not_recorded);
  EXPECT_ANSWER(elapsed(never, recorded), errc::not_recorded);
}

TEST(Elapsed, NeedsEventsWithTiming) {
  const stream s = new_stream();
  const event timed = new_event();
  const event untimed = new_event(first_device, {.timing = false});
  EXPECT_OK(record(s, timed));
  EXPECT_OK(record(s, untimed));
  EXPECT_OK(s.synchronize());

  EXPECT_ANSWER(elapsed(timed, untimed), errc::not_recorded);
}

TEST(Elapsed, IsNotReadyBeforeBothComplete) {
  const stream s = new_stream();
  const event start = new_event();
  const event end = new_event();
  EXPECT_OK(record(s, start));
  gate closed(s);
  EXPECT_OK(record(s, end));

  EXPECT_ANSWER(elapsed(start, end), errc::not_ready);

  closed.open();
  EXPECT_OK(s.synchronize());
}

TEST(Elapsed, IsRefusedBetweenDevices) {
  const stream one = new_stream(first_device);
  const stream two = new_stream(second_device);
  const event start = new_event(first_device);
  const event end = new_event(second_device);
  EXPECT_OK(record(one, start));
  EXPECT_OK(record(two, end));
  EXPECT_OK(one.synchronize());
  EXPECT_OK(two.synchronize());

  EXPECT_ANSWER(elapsed(start, end), errc::wrong_device);
}

TEST(LatchedEvent, WaitMayPrecedeRecording) {
  const stream recorded = new_stream(first_device);
  const stream waiting = new_stream(second_device);
  const event e = new_event(first_device, {.latched = true});
  gate closed(recorded);

  EXPECT_OK(wait(waiting, e));
  EXPECT_ANSWER(waiting.synchronize(short_wait), errc::timed_out);
  EXPECT_OK(record(recorded, e));

  EXPECT_ANSWER(waiting.synchronize(short_wait), errc::timed_out);
  closed.open();
  EXPECT_OK(waiting.synchronize());
}

TEST(LatchedEvent, CompleteEventHoldsNoStream) {
  const stream s = new_stream();
  const event e = new_event(first_device, {.latched = true});
  EXPECT_OK(record(s, e));
  EXPECT_OK(e.synchronize());

  EXPECT_OK(wait(s, e));

  EXPECT_OK(s.synchronize());
  EXPECT_OK(e.query());
}

TEST(LatchedEvent, ResetRearmsWaits) {
  const stream recorded = new_stream();
  const stream waiting = new_stream();
  const event e = new_event(first_device, {.latched = true});
  EXPECT_OK(record(recorded, e));
  EXPECT_OK(recorded.synchronize());

  EXPECT_OK(reset(e));
  EXPECT_OK(wait(waiting, e));

  EXPECT_ANSWER(waiting.synchronize(short_wait), errc::timed_out);
  EXPECT_OK(record(recorded, e));
  EXPECT_OK(waiting.synchronize());
}

TEST(LatchedEvent, ResetKeepsEarlierWaits) {
  const stream recorded = new_stream();
  const stream waiting = new_stream();
  const event e = new_event(first_device, {.latched = true});
  gate closed(recorded);
  EXPECT_OK(record(recorded, e));
  EXPECT_OK(wait(waiting, e));

  EXPECT_OK(reset(e));
  closed.open();

  EXPECT_OK(waiting.synchronize());
}

TEST(LatchedEvent, OtherEventsCannotBeReset) {
  const event e = new_event();

  EXPECT_ANSWER(reset(e), errc::not_supported);
}

TEST(LatchedEvent, IsNotReadyBeforeRecording) {
  const event e = new_event(first_device, {.latched = true});

  EXPECT_ANSWER(e.query(), errc::not_ready);
  EXPECT_OK(e.synchronize());
}

TEST(LatchedEvent, DestroyEndsWaits) {
  const stream waiting = new_stream();
  event e = new_event(first_device, {.latched = true});
  EXPECT_OK(wait(waiting, e));

  e = {};

  EXPECT_OK(waiting.synchronize());
}

TEST(TimeOf, LiesBetweenSubmissionAndSynchronize) {
  const stream s = new_stream();
  const event e = new_event();
  const auto before = std::chrono::steady_clock::now();

  EXPECT_OK(record(s, e));
  EXPECT_OK(s.synchronize());

  EXPECT_GE(must(time_of(e)), before);
  EXPECT_LE(must(time_of(e)), std::chrono::steady_clock::now());
}

TEST(TimeOf, NeedsCompleteEventWithTiming) {
  const stream s = new_stream();
  const event timed = new_event();
  const event untimed = new_event(first_device, {.timing = false});
  EXPECT_OK(record(s, untimed));
  gate closed(s);

  EXPECT_ANSWER(time_of(timed), errc::not_recorded);
  EXPECT_ANSWER(time_of(untimed), errc::not_recorded);
  EXPECT_OK(record(s, timed));
  EXPECT_ANSWER(time_of(timed), errc::not_ready);
}

TEST(EventHandle, UnknownHandleIsInvalid) {
  const stream s = new_stream();

  EXPECT_ANSWER(event_ref().query(), errc::invalid_handle);
  EXPECT_ANSWER(event_ref(s.handle()).query(), errc::invalid_handle);
  EXPECT_ANSWER(record(s, event_ref(77)), errc::invalid_handle);
  EXPECT_ANSWER(wait(s, event_ref(77)), errc::invalid_handle);
}

TEST(EventHandle, DestroyedHandleIsReported) {
  const stream s = new_stream();
  const event_ref gone = new_event().release();
  EXPECT_OK(destroy(gone));

  EXPECT_ANSWER(gone.query(), errc::destroyed_handle);
  EXPECT_ANSWER(destroy(gone), errc::destroyed_handle);
  EXPECT_ANSWER(record(s, gone), errc::destroyed_handle);
  EXPECT_ANSWER(elapsed(gone, gone), errc::destroyed_handle);
}

}  // namespace
}  // namespace convoy
