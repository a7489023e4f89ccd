#include <gtest/gtest.h>

#include "stream/event_state.hpp"
#include "support/eventually.hpp"
#include "threads/worker_pool.hpp"

namespace convoy {
namespace {

// A recording counts as landed from its step's landing on, before its signals are raised.
TEST(EventRecording, LandsWithItsStep) {
  threads::worker_pool workers(1, threads::thread_end::joined);
  const auto queue = std::make_shared<work_queue>(queue_context{workers});
  const ticket at = queue->push({std::make_unique<marker_action>(step_kind::record), {}, {}});
  const event_recording recorded{std::make_shared<signal>(queue), {queue, at}, nullptr};

  EXPECT_TRUE(queue->wait(at, test::within_limit()).ok());

  EXPECT_FALSE(recorded.reached->raised());
  EXPECT_TRUE(recorded.landed());
}

TEST(EventRecording, HasNotLandedWhileStepWaits) {
  threads::worker_pool workers(1, threads::thread_end::joined);
  const auto queue = std::make_shared<work_queue>(queue_context{workers});
  const auto obstacle = std::make_shared<signal>(queue);
  const auto reached = std::make_shared<signal>(queue);
  auto step_made = std::make_unique<marker_action>(step_kind::record);
  const ticket at = queue->push({std::move(step_made), {obstacle}, {reached}});
  const event_recording recorded{reached, {queue, at}, nullptr};

  EXPECT_FALSE(recorded.landed());
  obstacle->raise();
  EXPECT_TRUE(queue->wait(at, test::within_limit()).ok());
  EXPECT_TRUE(recorded.landed());
}

}  // namespace
}  // namespace convoy
