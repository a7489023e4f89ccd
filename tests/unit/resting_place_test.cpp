#include "os/resting_place.hpp"

#include <gtest/gtest.h>

#include <future>
#include <optional>
#include <thread>

#include "os/process.hpp"

namespace convoy::os {
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

// A thread that lies down, sleeps until the object is told, and gets up.
class sleeper {
 public:
  explicit sleeper(resting_place& where)
      : thread_([this, &where] {
          where.lie_down();
          asleep_.set_value(static_cast<pid_t>(thread_number()));
          alarm_.get_future().wait();
          where.get_up();
          up_.set_value(processors_of(0));
        }) {
    number_ = asleep_.get_future().get();
  }
  ~sleeper() { thread_.join(); }
  sleeper(const sleeper&) = delete;
  sleeper& operator=(const sleeper&) = delete;

  [[nodiscard]] pid_t number() const { return number_; }

  // How many processors it may run on once it is up.
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

class MovedSleeper : public testing::Test {
 protected:
  void SetUp() override {
    if (!threads_can_be_moved()) GTEST_SKIP() << "there is nowhere else to run";
    one_.emplace(bed_);
    ASSERT_TRUE(bed_.make_way());
  }

  const int all_ = processors_of(0);
  resting_place bed_;
  std::optional<sleeper> one_;
};

TEST_F(MovedSleeper, IsKeptOffTheProcessorOfItsWakerUntilItIsUp) {
  EXPECT_EQ(processors_of(one_->number()), all_ - 1);
  EXPECT_EQ(one_->wake(), all_);
}

TEST_F(MovedSleeper, IsMovedOnce) {
  EXPECT_FALSE(bed_.make_way());

  EXPECT_EQ(processors_of(one_->number()), all_ - 1);
  EXPECT_EQ(one_->wake(), all_);
}

TEST(RestingPlace, LeavesAThreadThatIsUpAlone) {
  resting_place bed;
  bed.lie_down();
  bed.get_up();

  EXPECT_FALSE(bed.make_way());
}

TEST(RestingPlace, LeavesASleeperItsOnlyProcessor) {
  cpu_set_t only = {};
  CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &only);
  std::thread([&] {
    ASSERT_EQ(::sched_setaffinity(0, sizeof only, &only), 0);
    resting_place bed;
    bed.lie_down();
    EXPECT_FALSE(bed.make_way());
    bed.get_up();
    EXPECT_EQ(processors_of(0), 1);
  }).join();
}

}  // namespace
}  // namespace convoy::os
