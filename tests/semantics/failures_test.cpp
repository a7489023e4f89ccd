#include <atomic>
#include <convoy/convoy.hpp>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/contents.hpp"
#include "support/gate.hpp"
#include "support/short_wait.hpp"
#include "support/unmapped_page.hpp"

namespace convoy {
namespace {

using namespace test;

// Stores the failures it receives; the callback runs on several threads.
class failure_log {
 public:
  auto callback() {
    return [this](const failed_step& failure) {
      const std::lock_guard held(mutex_);
      failures_.push_back(failure);
    };
  }
  std::vector<failed_step> failures() {
    const std::lock_guard held(mutex_);
    return failures_;
  }

 private:
  std::mutex mutex_;
  std::vector<failed_step> failures_;
};

class FailureCallback : public testing::Test {
 protected:
  static ticket fail(stream_ref stream) {
    return must(call(stream, [] { throw std::runtime_error("no"); }));
  }

  const stream s = new_stream();
  const unmapped_page unmapped;
  const buffer target = device_holding(zeros(64));
  failure_log log;
};

TEST_F(FailureCallback, ReceivesStreamTicketDeviceAndStatus) {
  const stream other = new_stream(second_device);
  const buffer there = must(make_device_buffer(second_device, 64));
  const failure_callback registration = must(add_failure_callback(log.callback()));
  EXPECT_OK(call(other, [] {}));

  const std::vector<copy> copies{{there.data(), target.data(), 8},
                                 {there.data() + 8, unmapped.data(), 8}};
  const ticket at = must(submit(other, copies));
  EXPECT_ANSWER(other.synchronize(), errc::fault);

  const auto failures = log.failures();
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_EQ(failures[0].stream, static_cast<const stream_ref&>(other));
  EXPECT_EQ(failures[0].position, at);
  EXPECT_EQ(failures[0].device, second_device);
  EXPECT_EQ(failures[0].error.code, errc::fault);
  EXPECT_EQ(failures[0].error.item, 1U);
}

TEST_F(FailureCallback, LegacyStreamFailuresAreReported) {
  const stream_ref legacy = must(device(second_device).default_stream());
  const failure_callback registration = must(add_failure_callback(log.callback()));

  const ticket at = fail(legacy);
  EXPECT_ANSWER(legacy.synchronize(), errc::function_threw);
  EXPECT_OK(legacy.clear_error());

  const auto failures = log.failures();
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_EQ(failures[0].stream, legacy);
  EXPECT_EQ(failures[0].position, at);
}

TEST_F(FailureCallback, RunsBeforeStepCountsAsLanded) {
  bool landed = true;
  const failure_callback registration = must(add_failure_callback(
      [&](const failed_step& failure) { landed = must(s.landed(failure.position)); }));

  fail(s);
  EXPECT_ANSWER(s.synchronize(), errc::function_threw);

  EXPECT_FALSE(landed);
}

TEST_F(FailureCallback, EveryFailureIsReported) {
  const failure_callback registration = must(add_failure_callback(log.callback()));

  for (int i = 0; i != 3; ++i) EXPECT_OK(submit(s, copy{target.data(), unmapped.data(), 64}));
  EXPECT_ANSWER(s.synchronize(), errc::fault);

  EXPECT_EQ(log.failures().size(), 3U);
}

TEST_F(FailureCallback, DroppedStepsAreNotReported) {
  const stream stopping = new_stream();
  EXPECT_OK(stopping.set_after_failure(after_failure::stop));
  const failure_callback registration = must(add_failure_callback(log.callback()));
  {
    gate closed(s);
    closed.wait_for_arrival();
    fail(s);
    EXPECT_OK(s.abort());
  }

  const ticket failing = fail(stopping);
  fail(stopping);
  EXPECT_ANSWER(stopping.synchronize(), errc::function_threw);
  static_cast<void>(s.synchronize());  // aborted, as long as the gate has not landed
  EXPECT_OK(s.synchronize());

  const auto failures = log.failures();
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_EQ(failures[0].position, failing);
}

TEST_F(FailureCallback, EveryCallbackIsCalled) {
  failure_log other_log;
  const failure_callback registration = must(add_failure_callback(log.callback()));
  const failure_callback another = must(add_failure_callback(other_log.callback()));

  fail(s);
  EXPECT_ANSWER(s.synchronize(), errc::function_threw);

  EXPECT_EQ(log.failures().size(), 1U);
  EXPECT_EQ(other_log.failures().size(), 1U);
}

TEST_F(FailureCallback, RemovedCallbackIsNotCalled) {
  const auto held = std::make_shared<int>(1);
  failure_callback registration = must(
      add_failure_callback([held, log = log.callback()](const auto& failure) { log(failure); }));
  failure_callback moved = std::move(registration);
  registration = {};
  fail(s);
  EXPECT_ANSWER(s.synchronize(), errc::function_threw);

  moved = {};
  fail(s);
  EXPECT_ANSWER(s.synchronize(), errc::function_threw);

  EXPECT_EQ(log.failures().size(), 1U);
  EXPECT_EQ(held.use_count(), 1);
}

TEST_F(FailureCallback, RemovalWaitsForRunningCalls) {
  std::promise<void> called;
  std::promise<void> finish;
  std::atomic<bool> over = false;
  failure_callback registration = must(add_failure_callback([&](const failed_step&) {
    called.set_value();
    finish.get_future().wait();
    over = true;
  }));
  fail(s);
  called.get_future().wait();

  std::atomic<bool> ended = false;
  std::thread ending([&] {
    registration = {};
    ended = true;
    EXPECT_TRUE(over);
  });
  EXPECT_ANSWER(s.synchronize(short_wait), errc::timed_out);
  EXPECT_FALSE(ended);
  finish.set_value();
  ending.join();

  EXPECT_ANSWER(s.synchronize(), errc::function_threw);
}

TEST_F(FailureCallback, CallbackMayRemoveItself) {
  int calls = 0;
  failure_callback registration;
  registration = must(add_failure_callback([&](const failed_step&) {
    ++calls;
    registration = {};
  }));

  fail(s);
  fail(s);
  EXPECT_ANSWER(s.synchronize(), errc::function_threw);

  EXPECT_EQ(calls, 1);
}

TEST_F(FailureCallback, ThrowingCallbackIsContained) {
  const failure_callback bad =
      must(add_failure_callback([](const failed_step&) { throw std::runtime_error("no"); }));
  const failure_callback registration = must(add_failure_callback(log.callback()));

  EXPECT_OK(submit(s, copy{target.data(), unmapped.data(), 64}));

  EXPECT_ANSWER(s.synchronize(), errc::fault);
  EXPECT_EQ(log.failures().size(), 1U);
}

TEST_F(FailureCallback, EmptyCallbackIsRefused) {
  EXPECT_ANSWER(add_failure_callback(nullptr), errc::null_pointer);
}

}  // namespace
}  // namespace convoy
