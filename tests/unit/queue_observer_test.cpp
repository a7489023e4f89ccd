#include <gtest/gtest.h>

#include <memory>

#include "stream/work_queue.hpp"
#include "support/eventually.hpp"
#include "support/manual_executor.hpp"
#include "support/outcome.hpp"
#include "support/recording_observer.hpp"
#include "support/scripted_step.hpp"

namespace convoy::test {
namespace {

class QueueObserver : public testing::Test {
 protected:
  manual_executor executor_;
  recording_observer observer_;
  observer_slot slot_{&observer_};
  std::shared_ptr<work_queue> queue_ =
      std::make_shared<work_queue>(queue_context{executor_, &slot_, 7, 0});
};

TEST_F(QueueObserver, CallsFollowStreamOrder) {
  queue_->push(empty_step());
  queue_->push(empty_step());

  executor_.run_all();

  EXPECT_EQ(observer_.text(),
            "submitted:7.1 submitted:7.2 started:7.1 landed:7.1 started:7.2 landed:7.2");
}

TEST_F(QueueObserver, FailureReachesObserver) {
  queue_->push(step_that_answers({errc::fault}));

  executor_.run_all();

  EXPECT_EQ(observer_.text(), "submitted:7.1 started:7.1 fault:7.1");
}

TEST_F(QueueObserver, DroppedStepLandsWithoutStart) {
  queue_->push(empty_step());

  queue_->abort();

  EXPECT_EQ(observer_.text(), "submitted:7.1 aborted:7.1");
}

TEST_F(QueueObserver, ObserverIsCalledBeforeLanding) {
  queue_->push(empty_step());

  EXPECT_OK(queue_->wait(ticket{1}, within_limit()));

  EXPECT_EQ(observer_.text(), "submitted:7.1 started:7.1 landed:7.1");
}

}  // namespace
}  // namespace convoy::test
