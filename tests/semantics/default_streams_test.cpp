#include <convoy/convoy.hpp>
#include <thread>

#include "support/contents.hpp"
#include "support/gate.hpp"
#include "support/short_wait.hpp"

namespace convoy {
namespace {

using namespace test;

const device on_first(first_device);

TEST(LegacyStream, EachDeviceHasOne) {
  const stream_ref first = must(on_first.default_stream());
  const stream_ref second = must(device(second_device).default_stream());

  EXPECT_EQ(first, must(on_first.default_stream()));
  EXPECT_NE(first, second);
  EXPECT_EQ(must(second.device()), second_device);
}

TEST(LegacyStream, WaitsForBlockingStreams) {
  const stream blocking = new_stream();
  const stream_ref legacy = must(on_first.default_stream());
  gate closed(blocking);

  EXPECT_OK(call(legacy, [] {}));

  EXPECT_ANSWER(legacy.synchronize(short_wait), errc::timed_out);
  closed.open();
  EXPECT_OK(legacy.synchronize());
}

TEST(LegacyStream, BlockingStreamsWaitForIt) {
  const stream blocking = new_stream();
  const stream_ref legacy = must(on_first.default_stream());
  gate closed(legacy);

  EXPECT_OK(call(blocking, [] {}));

  EXPECT_ANSWER(blocking.synchronize(short_wait), errc::timed_out);
  closed.open();
  EXPECT_OK(blocking.synchronize());
}

TEST(LegacyStream, OrdersTwoBlockingStreams) {
  const stream before = new_stream();
  const stream after = new_stream();
  const buffer target = device_holding(zeros(64));
  bytes seen = zeros(64);
  const bytes source = numbered(64);
  gate closed(before);
  EXPECT_OK(submit(before, copy{target.data(), source.data(), 64}));

  EXPECT_OK(call(must(on_first.default_stream()), [] {}));
  EXPECT_OK(submit(after, copy{seen.data(), target.data(), 64}));

  EXPECT_ANSWER(after.synchronize(short_wait), errc::timed_out);
  closed.open();
  EXPECT_OK(after.synchronize());
  EXPECT_EQ(seen, source);
}

TEST(LegacyStream, DoesNotWaitForLaterSteps) {
  const stream blocking = new_stream();
  const stream_ref legacy = must(on_first.default_stream());
  EXPECT_OK(call(legacy, [] {}));

  const gate closed(blocking);

  EXPECT_OK(legacy.synchronize());
  EXPECT_ANSWER(blocking.query(), errc::not_ready);
}

TEST(LegacyStream, NonBlockingStreamsAreUnordered) {
  const stream apart = new_stream(first_device, {.blocking = false});
  const stream_ref legacy = must(on_first.default_stream());

  gate in_legacy(legacy);
  EXPECT_OK(call(apart, [] {}));
  EXPECT_OK(apart.synchronize());
  in_legacy.open();
  EXPECT_OK(legacy.synchronize());

  const gate in_apart(apart);
  EXPECT_OK(call(legacy, [] {}));
  EXPECT_OK(legacy.synchronize());
}

TEST(LegacyStream, OtherDevicesAreUnordered) {
  const stream elsewhere = new_stream(second_device);
  const gate closed(must(on_first.default_stream()));

  EXPECT_OK(call(elsewhere, [] {}));

  EXPECT_OK(elsewhere.synchronize());
}

TEST(LegacyStream, WaitsForDestroyedStreams) {
  stream blocking = new_stream();
  const stream_ref legacy = must(on_first.default_stream());
  gate closed(blocking);
  blocking = {};

  EXPECT_OK(call(legacy, [] {}));

  EXPECT_ANSWER(legacy.synchronize(short_wait), errc::timed_out);
  closed.open();
  EXPECT_OK(legacy.synchronize());
}

TEST(BlockingStreams, QueryIncludesEveryBlockingStream) {
  const stream blocking = new_stream();
  for (const stream_ref held :
       {stream_ref(blocking), must(on_first.default_stream()), must(on_first.thread_stream())}) {
    gate closed(held);
    EXPECT_ANSWER(on_first.query_blocking_streams(), errc::not_ready);
    closed.open();
    EXPECT_OK(on_first.synchronize_blocking_streams());
    EXPECT_OK(held.query());
    EXPECT_OK(on_first.query_blocking_streams());
  }
}

TEST(BlockingStreams, NonBlockingStreamsAreLeftOut) {
  const stream apart = new_stream(first_device, {.blocking = false});
  const gate closed(apart);

  EXPECT_OK(on_first.query_blocking_streams());
  EXPECT_OK(on_first.synchronize_blocking_streams());

  EXPECT_ANSWER(apart.query(), errc::not_ready);
}

TEST(BlockingStreams, UnknownDeviceIsRefused) {
  EXPECT_ANSWER(device(device_id{99}).query_blocking_streams(), errc::invalid_device);
  EXPECT_ANSWER(device(device_id{99}).synchronize_blocking_streams(), errc::invalid_device);
}

TEST(LegacyStream, CannotBeDestroyed) {
  const stream_ref legacy = must(on_first.default_stream());

  EXPECT_ANSWER(destroy(legacy), errc::not_permitted);

  EXPECT_OK(legacy.query());
}

TEST(LegacyStream, UnknownDeviceIsRefused) {
  EXPECT_ANSWER(device(device_id{99}).default_stream(), errc::invalid_device);
  EXPECT_ANSWER(device(device_id{99}).thread_stream(), errc::invalid_device);
}

TEST(ThreadStream, EachThreadHasOne) {
  const stream_ref mine = must(on_first.thread_stream());
  stream_ref theirs;

  std::thread([&] { theirs = must(on_first.thread_stream()); }).join();

  EXPECT_EQ(mine, must(on_first.thread_stream()));
  EXPECT_NE(mine, theirs);
  EXPECT_NE(mine, must(on_first.default_stream()));
}

TEST(ThreadStream, EachDeviceHasOne) {
  const stream_ref second = must(device(second_device).thread_stream());

  EXPECT_NE(must(on_first.thread_stream()), second);
  EXPECT_EQ(must(second.device()), second_device);
}

TEST(ThreadStream, CannotBeDestroyed) {
  const stream_ref mine = must(on_first.thread_stream());

  EXPECT_ANSWER(destroy(mine), errc::not_permitted);
  EXPECT_OK(mine.synchronize());
}

TEST(ThreadStream, IsABlockingStream) {
  const stream_ref mine = must(on_first.thread_stream());
  const stream_ref legacy = must(on_first.default_stream());

  gate in_legacy(legacy);
  EXPECT_OK(call(mine, [] {}));
  EXPECT_ANSWER(mine.synchronize(short_wait), errc::timed_out);
  in_legacy.open();
  EXPECT_OK(mine.synchronize());

  gate in_mine(mine);
  EXPECT_OK(call(legacy, [] {}));
  EXPECT_ANSWER(legacy.synchronize(short_wait), errc::timed_out);
  in_mine.open();
  EXPECT_OK(legacy.synchronize());
}

TEST(ThreadStream, WorkLandsAfterThreadEnds) {
  const bytes source = numbered(64);
  const buffer target = device_holding(zeros(64));
  const event landed = must(make_event(first_device));
  gate closed(must(on_first.default_stream()));

  std::thread([&] {
    const stream_ref mine = must(on_first.thread_stream());
    EXPECT_OK(submit(mine, copy{target.data(), source.data(), 64}));
    EXPECT_OK(record(mine, landed));
  }).join();
  closed.open();

  EXPECT_OK(landed.synchronize());
  EXPECT_EQ(contents_of(target), source);
}

}  // namespace
}  // namespace convoy
