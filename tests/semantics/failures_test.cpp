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

// Keeps what it hears; steps fail on several threads.
class listener {
 public:
  auto function() {
    return [this](const failed_step& what) {
      const std::lock_guard held(mutex_);
      heard_.push_back(what);
    };
  }
  std::vector<failed_step> heard() {
    const std::lock_guard held(mutex_);
    return heard_;
  }

 private:
  std::mutex mutex_;
  std::vector<failed_step> heard_;
};

class FailureCallback : public testing::Test {
 protected:
  static ticket spoil(stream_ref where) {
    return must(call(where, [] { throw std::runtime_error("no"); }));
  }

  const stream s = new_stream();
  const wild_page wild;
  const buffer target = device_holding(zeros(64));
  listener ears;
};

TEST_F(FailureCallback, ReceivesStreamTicketDeviceAndStatus) {
  const stream other = new_stream(second_device);
  const buffer there = must(make_device_buffer(second_device, 64));
  const failure_callback watch = must(add_failure_callback(ears.function()));
  EXPECT_OK(call(other, [] {}));

  const std::vector<copy> copies{{there.data(), target.data(), 8},
                                 {there.data() + 8, wild.data(), 8}};
  const ticket at = must(submit(other, copies));
  EXPECT_ANSWER(other.synchronize(), errc::fault);

  const auto heard = ears.heard();
  ASSERT_EQ(heard.size(), 1U);
  EXPECT_EQ(heard[0].stream, static_cast<const stream_ref&>(other));
  EXPECT_EQ(heard[0].position, at);
  EXPECT_EQ(heard[0].device, second_device);
  EXPECT_EQ(heard[0].error.code, errc::fault);
  EXPECT_EQ(heard[0].error.item, 1U);
}

TEST_F(FailureCallback, LegacyStreamFailuresAreReported) {
  const stream_ref legacy = must(device(second_device).default_stream());
  const failure_callback watch = must(add_failure_callback(ears.function()));

  const ticket at = spoil(legacy);
  EXPECT_ANSWER(legacy.synchronize(), errc::function_threw);
  EXPECT_OK(legacy.clear_error());

  const auto heard = ears.heard();
  ASSERT_EQ(heard.size(), 1U);
  EXPECT_EQ(heard[0].stream, legacy);
  EXPECT_EQ(heard[0].position, at);
}

TEST_F(FailureCallback, RunsBeforeStepCountsAsLanded) {
  bool landed = true;
  const failure_callback watch = must(add_failure_callback(
      [&](const failed_step& what) { landed = must(s.landed(what.position)); }));

  spoil(s);
  EXPECT_ANSWER(s.synchronize(), errc::function_threw);

  EXPECT_FALSE(landed);
}

TEST_F(FailureCallback, EveryFailureIsReported) {
  const failure_callback watch = must(add_failure_callback(ears.function()));

  for (int i = 0; i != 3; ++i) EXPECT_OK(submit(s, copy{target.data(), wild.data(), 64}));
  EXPECT_ANSWER(s.synchronize(), errc::fault);

  EXPECT_EQ(ears.heard().size(), 3U);
}

TEST_F(FailureCallback, DroppedStepsAreNotReported) {
  const stream stopping = new_stream();
  EXPECT_OK(stopping.set_after_failure(after_failure::stop));
  const failure_callback watch = must(add_failure_callback(ears.function()));
  {
    gate closed(s);
    closed.wait_for_arrival();
    spoil(s);
    EXPECT_OK(s.abort());
  }

  const ticket failing = spoil(stopping);
  spoil(stopping);
  EXPECT_ANSWER(stopping.synchronize(), errc::function_threw);
  EXPECT_OK(s.synchronize());

  const auto heard = ears.heard();
  ASSERT_EQ(heard.size(), 1U);
  EXPECT_EQ(heard[0].position, failing);
}

TEST_F(FailureCallback, EveryCallbackIsCalled) {
  listener others;
  const failure_callback watch = must(add_failure_callback(ears.function()));
  const failure_callback another = must(add_failure_callback(others.function()));

  spoil(s);
  EXPECT_ANSWER(s.synchronize(), errc::function_threw);

  EXPECT_EQ(ears.heard().size(), 1U);
  EXPECT_EQ(others.heard().size(), 1U);
}

TEST_F(FailureCallback, RemovedCallbackIsNotCalled) {
  const auto held = std::make_shared<int>(1);
  failure_callback watch =
      must(add_failure_callback([held, told = ears.function()](const auto& what) { told(what); }));
  failure_callback moved = std::move(watch);
  watch = {};
  spoil(s);
  EXPECT_ANSWER(s.synchronize(), errc::function_threw);

  moved = {};
  spoil(s);
  EXPECT_ANSWER(s.synchronize(), errc::function_threw);

  EXPECT_EQ(ears.heard().size(), 1U);
  EXPECT_EQ(held.use_count(), 1);
}

TEST_F(FailureCallback, RemovalWaitsForRunningCalls) {
  std::promise<void> called;
  std::promise<void> let_go;
  std::atomic<bool> over = false;
  failure_callback watch = must(add_failure_callback([&](const failed_step&) {
    called.set_value();
    let_go.get_future().wait();
    over = true;
  }));
  spoil(s);
  called.get_future().wait();

  std::atomic<bool> ended = false;
  std::thread ending([&] {
    watch = {};
    ended = true;
    EXPECT_TRUE(over);
  });
  EXPECT_ANSWER(s.synchronize(short_wait), errc::timed_out);
  EXPECT_FALSE(ended);
  let_go.set_value();
  ending.join();

  EXPECT_ANSWER(s.synchronize(), errc::function_threw);
}

TEST_F(FailureCallback, CallbackMayRemoveItself) {
  int told = 0;
  failure_callback watch;
  watch = must(add_failure_callback([&](const failed_step&) {
    ++told;
    watch = {};
  }));

  spoil(s);
  spoil(s);
  EXPECT_ANSWER(s.synchronize(), errc::function_threw);

  EXPECT_EQ(told, 1);
}

TEST_F(FailureCallback, ThrowingCallbackIsContained) {
  const failure_callback bad =
      must(add_failure_callback([](const failed_step&) { throw std::runtime_error("no"); }));
  const failure_callback watch = must(add_failure_callback(ears.function()));

  EXPECT_OK(submit(s, copy{target.data(), wild.data(), 64}));

  EXPECT_ANSWER(s.synchronize(), errc::fault);
  EXPECT_EQ(ears.heard().size(), 1U);
}

TEST_F(FailureCallback, EmptyCallbackIsRefused) {
  EXPECT_ANSWER(add_failure_callback(nullptr), errc::null_pointer);
}

}  // namespace
}  // namespace convoy
