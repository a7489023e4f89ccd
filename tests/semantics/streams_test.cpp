#include <pthread.h>

#include <convoy/convoy.hpp>
#include <numeric>
#include <thread>
#include <vector>

#include "support/contents.hpp"
#include "support/gate.hpp"
#include "support/short_wait.hpp"

namespace convoy {
namespace {

using namespace test;

TEST(Stream, RunsStepsInSubmissionOrder) {
  const stream s = new_stream();
  std::vector<int> wanted(200);
  std::iota(wanted.begin(), wanted.end(), 0);
  std::vector<int> ran;

  for (const int i : wanted) EXPECT_OK(call(s, [&ran, i] { ran.push_back(i); }));

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(ran, wanted);
}

TEST(Stream, StepSeesEarlierWrites) {
  const stream s = new_stream();
  const bytes source = numbered(5000);
  const buffer one = must(make_device_buffer(first_device, 5000));
  const buffer two = must(make_device_buffer(second_device, 5000));
  bytes back = zeros(5000);

  EXPECT_OK(submit(s, copy{one.data(), source.data(), 5000}));
  EXPECT_OK(submit(s, copy{two.data(), one.data(), 5000}));
  EXPECT_OK(submit(s, copy{back.data(), two.data(), 5000}));

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(back, source);
}

TEST(Stream, OtherStreamsContinue) {
  const stream held = new_stream();
  const stream free = new_stream();
  const buffer target = device_holding(zeros(64));
  const bytes source = numbered(64);
  const gate closed(held);

  EXPECT_OK(copy_sync(free, {target.data(), source.data(), 64}));

  EXPECT_EQ(contents_of(target), source);
  EXPECT_ANSWER(held.query(), errc::not_ready);
}

TEST(Stream, TicketsCountFromOne) {
  const stream s = new_stream();

  EXPECT_EQ(must(call(s, [] {})), ticket{1});
  EXPECT_EQ(must(call(s, [] {})), ticket{2});
  EXPECT_EQ(must(call(s, [] {})), ticket{3});

  EXPECT_OK(s.synchronize());
}

TEST(Stream, QueryIsNotReadyWhilePending) {
  const stream s = new_stream();
  EXPECT_OK(s.query());
  gate closed(s);

  EXPECT_ANSWER(s.query(), errc::not_ready);

  closed.open();
  EXPECT_OK(s.synchronize());
  EXPECT_OK(s.query());
}

TEST(Stream, SynchronizeWaitsUpToTicket) {
  const stream s = new_stream();
  const ticket before = must(call(s, [] {}));
  const gate closed(s);

  EXPECT_OK(s.synchronize(before));

  EXPECT_TRUE(must(s.landed(before)));
  EXPECT_FALSE(must(s.landed(closed.at())));
}

TEST(Stream, UnknownTicketIsRefused) {
  const stream s = new_stream();

  EXPECT_ANSWER(s.synchronize(ticket{1}), errc::invalid_argument);
}

TEST(Stream, SynchronizeTimesOut) {
  const stream s = new_stream();
  const buffer target = device_holding(zeros(64));
  const bytes source = numbered(64);
  gate closed(s);
  EXPECT_OK(submit(s, copy{target.data(), source.data(), 64}));

  EXPECT_ANSWER(s.synchronize(short_wait), errc::timed_out);
  EXPECT_ANSWER(s.synchronize(std::chrono::nanoseconds(0)), errc::timed_out);
  EXPECT_EQ(contents_of(target), zeros(64));

  closed.open();
  EXPECT_OK(s.synchronize(std::chrono::hours(1)));
  EXPECT_EQ(contents_of(target), source);
}

TEST(Stream, WorkLandsWithoutWaiter) {
  const stream s = new_stream();
  const bytes source = numbered(64);
  const buffer target = device_holding(zeros(64));
  std::promise<void> reached;

  EXPECT_OK(submit(s, copy{target.data(), source.data(), 64}));
  EXPECT_OK(call(s, [&] { reached.set_value(); }));
  reached.get_future().wait();

  EXPECT_EQ(contents_of(target), source);
  EXPECT_OK(s.synchronize());
}

TEST(Stream, PriorityIsClamped) {
  EXPECT_EQ(must(new_stream(first_device, {.priority = -99}).options()).priority, -5);
  EXPECT_EQ(must(new_stream(first_device, {.priority = 7}).options()).priority, 0);
  EXPECT_EQ(must(new_stream(first_device, {.priority = -3}).options()).priority, -3);
}

TEST(Stream, HasDeviceAndOptions) {
  const stream s = new_stream(second_device, {.blocking = false});

  EXPECT_EQ(must(s.device()), second_device);
  EXPECT_FALSE(must(s.options()).blocking);
}

TEST(Stream, UnknownDeviceIsRefused) {
  EXPECT_ANSWER(make_stream(device_id{-1}), errc::invalid_device);
  EXPECT_ANSWER(make_stream(device_id{max_devices}), errc::invalid_device);
}

TEST(Stream, AcceptsStepsFromManyThreads) {
  constexpr std::size_t threads = 8;
  constexpr std::size_t copies = 200;
  const stream s = new_stream();
  const bytes source = numbered(threads * copies * 16);
  const buffer target = device_holding(zeros(source.size()));

  std::vector<std::thread> submitters;
  for (std::size_t t = 0; t != threads; ++t) {
    submitters.emplace_back([&, t] {
      for (std::size_t i = t * copies; i != (t + 1) * copies; ++i) {
        EXPECT_OK(submit(s, copy{target.data() + i * 16, source.data() + i * 16, 16}));
      }
      EXPECT_OK(s.synchronize());
    });
  }
  for (std::thread& each : submitters) each.join();

  EXPECT_EQ(must(call(s, [] {})), ticket{threads * copies + 1});
  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), source);
}

TEST(StreamHandle, UnknownHandleIsInvalid) {
  EXPECT_ANSWER(stream_ref().query(), errc::invalid_handle);
  EXPECT_ANSWER(stream_ref(12345).synchronize(), errc::invalid_handle);
  EXPECT_ANSWER(call(stream_ref(~0ULL), [] {}), errc::invalid_handle);
}

TEST(StreamHandle, EventHandleIsInvalid) {
  const event e = must(make_event(first_device));

  EXPECT_ANSWER(stream_ref(e.handle()).query(), errc::invalid_handle);
}

TEST(StreamHandle, DestroyedHandleIsReported) {
  const stream_ref gone = new_stream().release();
  EXPECT_OK(destroy(gone));

  EXPECT_ANSWER(gone.query(), errc::destroyed_handle);
  EXPECT_ANSWER(destroy(gone), errc::destroyed_handle);
  EXPECT_ANSWER(gone.synchronize(), errc::destroyed_handle);
}

TEST(StreamHandle, OtherThreadMayDestroyIt) {
  const stream_ref s = new_stream().release();
  EXPECT_OK(s.synchronize());

  std::thread([&] { EXPECT_OK(destroy(s)); }).join();

  EXPECT_EQ(s.synchronize().code, errc::destroyed_handle);
}

TEST(StreamHandle, IsUsableInThreadDestructors) {
  static pthread_key_t key = 0;
  static const stream_ref s = new_stream().release();
  pthread_key_create(&key, [](void*) { EXPECT_OK(s.synchronize()); });

  std::thread([] {
    pthread_setspecific(key, &key);
    EXPECT_OK(s.synchronize());
  }).join();

  pthread_key_delete(key);
  EXPECT_OK(destroy(s));
}

TEST(StreamHandle, IsNotReused) {
  const stream_ref gone = new_stream().release();
  EXPECT_OK(destroy(gone));

  const stream next = new_stream();

  EXPECT_NE(next.handle(), gone.handle());
  EXPECT_ANSWER(gone.query(), errc::destroyed_handle);
}

TEST(Device, SynchronizeWaitsForAllItsStreams) {
  const device first(first_device);
  const stream one = new_stream();
  const stream two = new_stream(first_device, {.blocking = false});
  gate in_one(one);
  gate in_two(two);

  EXPECT_ANSWER(first.synchronize(short_wait), errc::timed_out);
  in_one.open();
  EXPECT_ANSWER(first.synchronize(short_wait), errc::timed_out);
  in_two.open();

  EXPECT_OK(first.synchronize());
  EXPECT_OK(one.query());
  EXPECT_OK(two.query());
}

TEST(Device, SynchronizeIgnoresOtherDevices) {
  const stream elsewhere = new_stream(second_device);
  const gate closed(elsewhere);

  EXPECT_OK(device(first_device).synchronize());

  EXPECT_ANSWER(elsewhere.query(), errc::not_ready);
}

}  // namespace
}  // namespace convoy
