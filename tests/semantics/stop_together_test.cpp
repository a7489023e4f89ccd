#include <atomic>
#include <convoy/convoy.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/contents.hpp"
#include "support/gate.hpp"
#include "support/short_wait.hpp"

namespace convoy {
namespace {

using namespace test;

class StopGroup : public testing::Test {
 protected:
  StopGroup() { EXPECT_OK(other.stop_with(s)); }

  static void fail(stream_ref stream) {
    EXPECT_OK(call(stream, [] { throw std::runtime_error("no"); }));
  }
  void fail_and_wait() const {
    fail(s);
    EXPECT_ANSWER(s.synchronize(), errc::function_threw);
  }
  ticket count(stream_ref stream) {
    return must(call(stream, [this] { ++ran; }));
  }

  const stream s = new_stream();
  const stream other = new_stream();
  std::atomic<int> ran = 0;
};

TEST_F(StopGroup, FailureSkipsStepsOfAllStreams) {
  gate closed(other);
  closed.wait_for_arrival();
  count(other);
  fail_and_wait();
  count(other);
  closed.open();

  EXPECT_ANSWER(other.synchronize(), errc::function_threw);

  EXPECT_EQ(ran, 0);
}

TEST_F(StopGroup, EitherStreamMayFail) {
  fail(other);
  EXPECT_ANSWER(other.synchronize(), errc::function_threw);
  count(s);

  EXPECT_ANSWER(s.synchronize(), errc::function_threw);

  EXPECT_EQ(ran, 0);
}

TEST_F(StopGroup, MaySpanDevices) {
  const stream far = new_stream(second_device);
  EXPECT_OK(far.stop_with(s));
  fail_and_wait();
  count(far);

  EXPECT_ANSWER(far.synchronize(), errc::function_threw);

  EXPECT_EQ(ran, 0);
}

TEST_F(StopGroup, UnaffectedStreamHasNoError) {
  const ticket before = count(other);
  EXPECT_OK(other.synchronize());
  fail_and_wait();

  EXPECT_OK(other.synchronize());
  const ticket after = count(other);

  EXPECT_ANSWER(other.synchronize(after), errc::function_threw);
  EXPECT_OK(other.synchronize(before));
  EXPECT_EQ(ran, 1);
}

TEST_F(StopGroup, SkippedEventsComplete) {
  const stream outside = new_stream();
  const event passed = must(make_event(first_device));
  fail_and_wait();
  count(other);
  EXPECT_OK(record(other, passed));
  EXPECT_OK(wait(outside, passed));
  count(outside);

  EXPECT_OK(outside.synchronize());

  EXPECT_EQ(ran, 1);
}

TEST_F(StopGroup, SkippedStepsStillWaitForEvents) {
  const stream held = new_stream();
  const event before = must(make_event(first_device));
  gate closed(held);
  EXPECT_OK(record(held, before));
  EXPECT_OK(wait(other, before));
  fail_and_wait();

  EXPECT_ANSWER(other.synchronize(short_wait), errc::timed_out);
  closed.open();

  EXPECT_ANSWER(other.synchronize(), errc::function_threw);
}

TEST_F(StopGroup, ValueWaitGivesUp) {
  const buffer value = device_holding(zeros(8));
  const stream_value wanted{value.data(), 1, 8};
  gate arriving(other);
  EXPECT_OK(wait_value(other, wanted, value_test::equal));
  count(other);
  arriving.wait_for_arrival();
  arriving.open();
  fail(s);
  EXPECT_OK(write_value(s, wanted));

  EXPECT_ANSWER(other.synchronize(), errc::function_threw);

  EXPECT_EQ(ran, 0);
}

TEST_F(StopGroup, ClearingOneResumesAll) {
  fail_and_wait();
  count(other);
  EXPECT_ANSWER(other.synchronize(), errc::function_threw);

  EXPECT_OK(other.clear_error());
  count(s);
  count(other);

  EXPECT_ANSWER(s.synchronize(), errc::function_threw);
  EXPECT_OK(other.synchronize());
  EXPECT_EQ(ran, 2);
}

TEST_F(StopGroup, ClearingUnaffectedStreamResumesNone) {
  fail_and_wait();

  EXPECT_OK(other.clear_error());
  count(s);

  EXPECT_ANSWER(s.synchronize(), errc::function_threw);
  EXPECT_EQ(ran, 0);
}

TEST_F(StopGroup, StepsSubmittedBeforeClearAreSkipped) {
  gate closed(other);
  closed.wait_for_arrival();
  count(other);
  fail_and_wait();
  EXPECT_OK(s.clear_error());
  const ticket after = count(other);
  closed.open();

  EXPECT_ANSWER(other.synchronize(after), errc::function_threw);

  EXPECT_EQ(ran, 1);
}

TEST_F(StopGroup, MayStopAgainAfterClear) {
  fail_and_wait();
  EXPECT_OK(s.clear_error());
  fail_and_wait();
  count(other);

  EXPECT_ANSWER(other.synchronize(), errc::function_threw);

  EXPECT_EQ(ran, 0);
}

TEST_F(StopGroup, StreamThatJoinsLateIsStopped) {
  fail_and_wait();
  const stream late = new_stream();
  EXPECT_OK(late.stop_with(other));
  count(late);

  EXPECT_ANSWER(late.synchronize(), errc::function_threw);

  EXPECT_EQ(ran, 0);
}

TEST_F(StopGroup, FailedStreamStopsGroupOnJoining) {
  const stream failed = new_stream();
  fail(failed);
  EXPECT_ANSWER(failed.synchronize(), errc::function_threw);

  EXPECT_OK(failed.stop_with(s));
  count(other);

  EXPECT_ANSWER(other.synchronize(), errc::function_threw);
  EXPECT_EQ(ran, 0);
}

TEST_F(StopGroup, OtherStreamsContinue) {
  const stream apart = new_stream();
  const stream left = new_stream();
  EXPECT_OK(apart.set_after_failure(after_failure::stop));
  EXPECT_OK(left.stop_with(s));
  EXPECT_OK(left.set_after_failure(after_failure::go_on));
  fail_and_wait();

  count(apart);
  count(left);

  EXPECT_OK(apart.synchronize());
  EXPECT_OK(left.synchronize());
  EXPECT_EQ(ran, 2);
}

TEST_F(StopGroup, StopOutlivesFailedStream) {
  stream failing = new_stream();
  EXPECT_OK(failing.stop_with(s));
  fail(failing);
  EXPECT_ANSWER(failing.synchronize(), errc::function_threw);

  failing = {};
  count(other);

  EXPECT_ANSWER(other.synchronize(), errc::function_threw);
  EXPECT_EQ(ran, 0);
}

TEST_F(StopGroup, UnknownStreamIsRefused) {
  EXPECT_ANSWER(s.stop_with(stream_ref{}), errc::invalid_handle);
  EXPECT_ANSWER(stream_ref{}.stop_with(s), errc::invalid_handle);
}

TEST_F(StopGroup, ConcurrentFailuresAreHandled) {
  std::vector<stream> all;
  for (int i = 0; i != 4; ++i) all.push_back(new_stream());
  std::vector<std::thread> threads;
  for (const stream& each : all) {
    threads.emplace_back([this, &each] {
      for (int i = 0; i != 200; ++i) {
        EXPECT_OK(each.stop_with(s));
        if (i % 3 == 0) fail(each);
        EXPECT_OK(call(each, [] {}));
        static_cast<void>(each.synchronize());
        EXPECT_OK(each.clear_error());
      }
    });
  }
  for (auto& each : threads) each.join();

  for (const stream& each : all) {
    EXPECT_OK(each.synchronize());
    count(each);
    EXPECT_OK(each.synchronize());
  }
  EXPECT_EQ(ran, 4);
}

}  // namespace
}  // namespace convoy
