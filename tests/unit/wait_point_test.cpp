#include "stream/wait_point.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "support/eventually.hpp"
#include "support/manual_executor.hpp"

namespace convoy {
namespace {

using namespace std::chrono_literals;

// An executor whose assist() can be counted and answered.
class counting_executor final : public executor {
 public:
  void post(std::shared_ptr<runnable>, std::size_t) override {}
  void more_work(std::size_t) override {}
  bool call(std::function<void()>) override { return false; }
  bool assist() override {
    ++asked;
    return helps;
  }

  std::atomic<int> asked = 0;
  std::atomic<bool> helps = false;
};

class WaitPoint : public testing::Test {
 protected:
  counting_executor executor_;
  wait_point point_;
};

TEST_F(WaitPoint, ReturnsAtOnceAfterWake) {
  EXPECT_TRUE(test::ends_in_time([this] {
    const auto seen = point_.epoch();
    point_.wake();

    point_.spin_then_sleep(seen, {}, executor_);

    EXPECT_EQ(executor_.asked, 0);
  }));
}

TEST_F(WaitPoint, SleepEndsAtTheDeadline) {
  EXPECT_TRUE(test::ends_in_time([this] {
    const auto until = os::clock::now() + 2ms;

    while (os::clock::now() < until) point_.spin_then_sleep(point_.epoch(), until, executor_);

    EXPECT_GT(executor_.asked, 0);
  }));
}

TEST_F(WaitPoint, HelpingEndsTheWait) {
  EXPECT_TRUE(test::ends_in_time([this] {
    executor_.helps = true;

    point_.spin_then_sleep(point_.epoch(), {}, executor_);

    EXPECT_EQ(executor_.asked, 1);
  }));
}

TEST_F(WaitPoint, NoWakeIsLost) {
  EXPECT_TRUE(test::ends_in_time([this] {
    constexpr int rounds = 2000;
    std::atomic<int> done = 0;
    std::jthread waker([&] {
      for (int i = 0; i != rounds; ++i) {
        done = i + 1;
        point_.wake();
        while (done > i && done != 0) std::this_thread::yield();
      }
    });

    for (int i = 0; i != rounds; ++i) {
      auto seen = point_.epoch();
      while (done != i + 1) {
        point_.spin_then_sleep(seen, {}, executor_);
        seen = point_.epoch();
      }
      done = 0;
    }
  }));
}

}  // namespace
}  // namespace convoy
