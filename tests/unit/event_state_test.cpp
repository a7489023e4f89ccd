#include "stream/event_state.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "support/manual_executor.hpp"
#include "support/outcome.hpp"

namespace convoy::test {
namespace {

constexpr device_id first_device{0};

// A recording whose step has landed, or never lands.
std::shared_ptr<const event_recording> mark_at(os::clock::rep time, bool landed = true) {
  static manual_executor by_hand;
  auto made = std::make_shared<event_recording>();
  made->recorded_at.queue = std::make_shared<work_queue>(queue_context{by_hand});
  made->recorded_at.position = ticket{landed ? 0U : 1U};
  made->time = std::make_shared<marker_action::stamp>(time);
  return made;
}

class EventState : public testing::Test {
 protected:
  event_state start_{first_device, true};
  event_state end_{first_device, true};
};

TEST_F(EventState, HasNoRecordingAtFirst) { EXPECT_EQ(start_.latest(), nullptr); }

TEST_F(EventState, KeepsTheLatestRecording) {
  const auto second = mark_at(2);
  start_.set(mark_at(1));
  start_.set(second);

  EXPECT_EQ(start_.latest(), second);
}

TEST_F(EventState, ElapsedIsFromStartToEnd) {
  start_.set(mark_at(1000));
  end_.set(mark_at(2500));

  EXPECT_EQ(must(elapsed_between(start_, end_)).count(), 1500);
  EXPECT_EQ(must(elapsed_between(end_, start_)).count(), -1500);
}

TEST_F(EventState, ElapsedNeedsBothRecorded) {
  start_.set(mark_at(1000));

  EXPECT_ANSWER(elapsed_between(start_, end_), errc::not_recorded);
  EXPECT_ANSWER(elapsed_between(end_, start_), errc::not_recorded);
}

TEST_F(EventState, ElapsedNeedsBothReached) {
  start_.set(mark_at(1000));
  end_.set(mark_at(0, false));

  EXPECT_ANSWER(elapsed_between(start_, end_), errc::not_ready);
}

TEST_F(EventState, ElapsedNeedsTiming) {
  auto timeless = std::make_shared<event_recording>(*mark_at(1));
  timeless->time = nullptr;
  start_.set(timeless);
  end_.set(mark_at(2));

  EXPECT_ANSWER(elapsed_between(start_, end_), errc::not_recorded);
}

TEST_F(EventState, ElapsedRefusesDroppedRecording) {
  start_.set(mark_at(0));
  end_.set(mark_at(2));

  EXPECT_ANSWER(elapsed_between(start_, end_), errc::not_recorded);
}

TEST(LatchedEventState, WaitersShareTheNextSignal) {
  event_state event(first_device, false, true);

  const auto awaited = event.awaited_signal();

  EXPECT_EQ(event.awaited_signal(), awaited);
  EXPECT_EQ(event.take_next_signal(), awaited);
  EXPECT_EQ(event.take_next_signal(), nullptr);
}

TEST(LatchedEventState, AwaitsLatestRecordingUntilReset) {
  event_state event(first_device, false, true);
  auto made = std::make_shared<event_recording>(*mark_at(1));
  made->reached = std::make_shared<signal>(made->recorded_at.queue);
  event.set(made);

  EXPECT_EQ(event.awaited_signal(), made->reached);
  event.reset();
  EXPECT_NE(event.awaited_signal(), made->reached);
}

TEST(LatchedEventState, RetireRaisesTheAwaitedSignal) {
  event_state event(first_device, false, true);
  const auto awaited = event.awaited_signal();

  event.retire();

  EXPECT_TRUE(awaited->raised());
  EXPECT_EQ(event.awaited_signal(), nullptr);
}

}  // namespace
}  // namespace convoy::test
