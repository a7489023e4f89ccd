#include "threads/wake_affinity.hpp"

#include <gtest/gtest.h>

#include <future>
#include <optional>
#include <thread>

#include "os/process.hpp"

namespace convoy::threads {
namespace {

int processors_of(pid_t thread) {
  cpu_set_t allowed = {};
  EXPECT_EQ(::sched_getaffinity(thread, sizeof allowed, &allowed), 0);
  return CPU_COUNT(&allowed);
}

// Some sandboxes keep threads where they are.
bool threads_can_be_moved() {
  cpu_set_t allowed = {};
  return ::sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) > 1 &&
         ::sched_setaffinity(0, sizeof allowed, &allowed) == 0;
}

// A thread that announces its sleep, sleeps until wake(), and wakes up.
class sleeper {
 public:
  explicit sleeper(wake_affinity& where)
      : thread_([this, &where] {
          where.before_sleep();
          asleep_.set_value(static_cast<pid_t>(os::thread_id()));
          alarm_.get_future().wait();
          where.after_wake();
          up_.set_value(processors_of(0));
        }) {
    number_ = asleep_.get_future().get();
  }
  ~sleeper() { thread_.join(); }
  sleeper(const sleeper&) = delete;
  sleeper& operator=(const sleeper&) = delete;

  [[nodiscard]] pid_t number() const { return number_; }

  // How many processors it may run on once it is awake.
  int wake() {
    alarm_.set_value();
    return up_.get_future().get();
  }

 private:
  std::promise<pid_t> asleep_;
  std::promise<void> alarm_;
  std::promise<int> up_;
  pid_t number_ = 0;
  std::thread thread_;
};

class WakeAffinityMove : public testing::Test {
 protected:
  void SetUp() override {
    if (!threads_can_be_moved()) GTEST_SKIP() << "there is nowhere else to run";
    one_.emplace(affinity_);
    ASSERT_TRUE(affinity_.avoid_caller_cpu());
  }

  const int all_ = processors_of(0);
  wake_affinity affinity_;
  std::optional<sleeper> one_;
};

TEST_F(WakeAffinityMove, SleeperAvoidsWakersCpuUntilAwake) {
  EXPECT_EQ(processors_of(one_->number()), all_ - 1);
  EXPECT_EQ(one_->wake(), all_);
}

TEST_F(WakeAffinityMove, SleeperIsMovedOnce) {
  EXPECT_FALSE(affinity_.avoid_caller_cpu());

  EXPECT_EQ(processors_of(one_->number()), all_ - 1);
  EXPECT_EQ(one_->wake(), all_);
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
  std::thread([&] {
    ASSERT_EQ(::sched_setaffinity(0, sizeof only, &only), 0);
    wake_affinity affinity;
    affinity.before_sleep();
    EXPECT_FALSE(affinity.avoid_caller_cpu());
    affinity.after_wake();
    EXPECT_EQ(processors_of(0), 1);
  }).join();
}

}  // namespace
}  // namespace convoy::threads
