#include "threads/wake_affinity.hpp"

#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "os/process.hpp"
#include "support/eventually.hpp"

namespace convoy::threads {
namespace {

int cpu_count_of(pid_t thread) {
  cpu_set_t allowed = {};
  EXPECT_EQ(::sched_getaffinity(thread, sizeof allowed, &allowed), 0);
  return CPU_COUNT(&allowed);
}

// Some sandboxes refuse to change the affinity of a thread.
bool can_set_affinity() {
  cpu_set_t allowed = {};
  return ::sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) > 1 &&
         ::sched_setaffinity(0, sizeof allowed, &allowed) == 0;
}

// A thread that announces its sleep, sleeps until wake(), and wakes up.
class sleeper {
 public:
  explicit sleeper(wake_affinity& affinity)
      : thread_([this, &affinity] {
          affinity.before_sleep();
          asleep_.set_value(static_cast<pid_t>(os::thread_id()));
          wake_.get_future().wait();
          affinity.after_wake();
          awake_.set_value(cpu_count_of(0));
        }) {
    number_ = asleep_.get_future().get();
  }
  ~sleeper() { thread_.join(); }
  sleeper(const sleeper&) = delete;
  sleeper& operator=(const sleeper&) = delete;

  [[nodiscard]] pid_t number() const { return number_; }

  // The number of CPUs the thread may run on once it is awake.
  int wake() {
    wake_.set_value();
    return awake_.get_future().get();
  }

 private:
  std::promise<pid_t> asleep_;
  std::promise<void> wake_;
  std::promise<int> awake_;
  pid_t number_ = 0;
  std::thread thread_;
};

class WakeAffinityMove : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_set_affinity()) GTEST_SKIP() << "the thread cannot be moved to another CPU";
  }
};

TEST_F(WakeAffinityMove, SleeperAvoidsWakersCpuUntilAwake) {
  EXPECT_TRUE(test::ends_in_time([all = cpu_count_of(0)] {
    wake_affinity affinity;
    sleeper one(affinity);

    EXPECT_TRUE(affinity.avoid_caller_cpu());

    EXPECT_EQ(cpu_count_of(one.number()), all - 1);
    EXPECT_EQ(one.wake(), all);
  }));
}

TEST_F(WakeAffinityMove, SleeperIsMovedOnce) {
  EXPECT_TRUE(test::ends_in_time([all = cpu_count_of(0)] {
    wake_affinity affinity;
    sleeper one(affinity);

    EXPECT_TRUE(affinity.avoid_caller_cpu());
    EXPECT_FALSE(affinity.avoid_caller_cpu());

    EXPECT_EQ(cpu_count_of(one.number()), all - 1);
    EXPECT_EQ(one.wake(), all);
  }));
}

TEST(WakeAffinity, AwakeThreadIsNotMoved) {
  wake_affinity affinity;
  affinity.before_sleep();
  affinity.after_wake();

  EXPECT_FALSE(affinity.avoid_caller_cpu());
}

TEST(WakeAffinity, OnlyCpuIsNeverBarred) {
  cpu_set_t only = {};
  CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &only);
  EXPECT_TRUE(test::ends_in_time([only] {
    ASSERT_EQ(::sched_setaffinity(0, sizeof only, &only), 0);
    wake_affinity affinity;
    affinity.before_sleep();
    EXPECT_FALSE(affinity.avoid_caller_cpu());
    affinity.after_wake();
    EXPECT_EQ(cpu_count_of(0), 1);
  }));
}

}  // namespace
}  // namespace convoy::threads
