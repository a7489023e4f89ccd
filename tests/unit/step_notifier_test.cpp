#include "stream/step_notifier.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <vector>

#include "support/manual_executor.hpp"
#include "support/recording_observer.hpp"
#include "support/scripted_step.hpp"

namespace convoy::test {
namespace {

using testing::ElementsAre;

// Keeps the notices, without what is valid during the call only.
class notice_list final : public observer {
 public:
  void submitted(const observed_step& step) override {
    notices.push_back(step);
    for (const step_position& each : step.waits_for) awaited_streams.push_back(each.stream);
  }
  void started(const observed_step& step) override { notices.push_back(step); }
  void landed(const observed_step& step, const status& outcome) override {
    notices.push_back(step);
    last_outcome = outcome.code;
  }

  std::vector<observed_step> notices;
  std::vector<std::uint64_t> awaited_streams;
  std::optional<errc> last_outcome;
};

class StepNotifier : public testing::Test {
 protected:
  static step step_at(std::uint64_t number) {
    step made = empty_step();
    made.position = ticket{number};
    return made;
  }

  notice_list observer_;
  observer_slot slot_{&observer_};
  step_notifier notifier_{{.number = 7, .device = device_id{1}, .observers = &slot_}};
  const step step_ = step_at(3);
  const action& work_ = *step_.work;
};

TEST_F(StepNotifier, NoticeNamesStreamAndStep) {
  notifier_.set_handle(42);

  notifier_.submitted(observer_, work_, step_, nullptr);

  const observed_step& seen = observer_.notices.at(0);
  EXPECT_EQ(seen.stream, 7U);
  EXPECT_EQ(seen.position, ticket{3});
  EXPECT_EQ(seen.handle, 42U);
  EXPECT_EQ(seen.device, device_id{1});
  EXPECT_EQ(seen.summary.items, 1U);
}

TEST_F(StepNotifier, NoObserverTakesNoTimestamp) {
  slot_.store(nullptr);

  const auto started = notifier_.started(work_, step_);
  notifier_.landed(work_, step_, started, {});
  notifier_.dropped(work_, step_);

  EXPECT_EQ(started, observed_step::time{});
  EXPECT_TRUE(observer_.notices.empty());
}

TEST_F(StepNotifier, LandingHasTimeOfStart) {
  const auto started = notifier_.started(work_, step_);
  notifier_.landed(work_, step_, started, {errc::fault});

  ASSERT_EQ(observer_.notices.size(), 2U);
  EXPECT_NE(started, observed_step::time{});
  EXPECT_EQ(observer_.notices[0].started, started);
  EXPECT_EQ(observer_.notices[1].started, started);
  EXPECT_GE(observer_.notices[1].landed, started);
  EXPECT_EQ(observer_.last_outcome, errc::fault);
}

TEST_F(StepNotifier, DroppedStepHasNoStart) {
  notifier_.dropped(work_, step_);

  EXPECT_EQ(observer_.notices.at(0).started, observed_step::time{});
  EXPECT_NE(observer_.notices.at(0).landed, observed_step::time{});
  EXPECT_EQ(observer_.last_outcome, errc::aborted);
}

TEST_F(StepNotifier, WaitsNameStreamsThatExist) {
  manual_executor executor;
  const auto other = std::make_shared<work_queue>(queue_context{executor, nullptr, 9});
  const auto of_other = std::make_shared<signal>(other);
  const auto of_none = std::make_shared<signal>(std::weak_ptr<work_queue>{});

  notifier_.submitted(observer_, work_, waiting_for({of_none, of_other}), nullptr);

  EXPECT_THAT(observer_.awaited_streams, ElementsAre(9));
}

TEST_F(StepNotifier, EventNoticeFollowsSubmission) {
  recording_observer words;
  const submitting_call records{.function = "convoy::record", .recorded_event = 5};
  const submitting_call waits{.function = "convoy::wait", .awaited_event = 5};

  notifier_.submitted(words, work_, step_, &records);
  notifier_.submitted(words, work_, step_, &waits);

  EXPECT_EQ(words.text(), "submitted:7.3 recorded:7.3 submitted:7.3 awaited:7.3");
}

TEST_F(StepNotifier, FailureObserverNeedsNoObserver) {
  const step_notifier failures_only({.number = 7, .failure_observer = &observer_});

  failures_only.failed(work_, step_, {errc::fault});

  EXPECT_EQ(observer_.last_outcome, errc::fault);
  EXPECT_EQ(observer_.notices.at(0).position, ticket{3});
}

}  // namespace
}  // namespace convoy::test
