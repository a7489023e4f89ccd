#include <gtest/gtest.h>

#include <chrono>
#include <convoy/device.hpp>
#include <convoy/event.hpp>
#include <convoy/stream.hpp>

#include "support/eventually.hpp"
#include "support/gate.hpp"
#include "support/outcome.hpp"

namespace convoy::test {
namespace {

using std::chrono_literals::operator""ms;

constexpr device_id first_device{0};

// An event that its stream reached long ago.
event reached_event() {
  auto made = must(make_event(first_device));
  const auto recorded_in = must(make_stream(first_device, {.blocking = false}));
  EXPECT_OK(record(recorded_in, made));
  EXPECT_OK(recorded_in.synchronize(time_limit));
  return made;
}

TEST(WaitForReachedEvent, LegacyStreamStillOrdersBlockingStreams) {
  const auto legacy = must(device(first_device).default_stream());
  const auto held = must(make_stream(first_device));
  const auto other = must(make_stream(first_device));
  const auto reached = reached_event();
  gate holding(held);

  EXPECT_OK(wait(legacy, reached));
  EXPECT_OK(call(other, [] {}));

  EXPECT_ANSWER(other.synchronize(5ms), errc::timed_out);
  holding.open();
  EXPECT_OK(other.synchronize(time_limit));
}

TEST(WaitForReachedEvent, BlockingStreamStillWaitsForLegacy) {
  const auto legacy = must(device(first_device).default_stream());
  const auto blocking = must(make_stream(first_device));
  const auto reached = reached_event();
  gate holding(legacy);

  EXPECT_OK(wait(blocking, reached));

  EXPECT_ANSWER(blocking.synchronize(5ms), errc::timed_out);
  holding.open();
  EXPECT_OK(blocking.synchronize(time_limit));
}

TEST(WaitForReachedEvent, NonBlockingStreamDoesNotWait) {
  const auto legacy = must(device(first_device).default_stream());
  const auto free = must(make_stream(first_device, {.blocking = false}));
  const auto reached = reached_event();
  const gate holding(legacy);

  EXPECT_OK(wait(free, reached));

  EXPECT_OK(free.query());
}

}  // namespace
}  // namespace convoy::test
