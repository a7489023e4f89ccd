#include <convoy/convoy.hpp>
#include <thread>

#include "support/contents.hpp"
#include "support/gate.hpp"
#include "support/short_wait.hpp"

namespace convoy {
namespace {

using namespace test;

class Abort : public testing::Test {
 protected:
  // A copy that has not started: the closed gate before it blocks the stream.
  ticket submit_behind(gate& closed) {
    closed.wait_for_arrival();
    return must(submit(s, copy{target.data(), source.data(), 64}));
  }

  const stream s = new_stream();
  const bytes source = numbered(64);
  const buffer target = device_holding(zeros(64));
};

TEST_F(Abort, StepsNotStartedAreDropped) {
  gate closed(s);
  submit_behind(closed);

  EXPECT_OK(s.abort());
  closed.open();

  EXPECT_OK(s.synchronize(closed.at()));
  EXPECT_EQ(contents_of(target), zeros(64));
}

TEST_F(Abort, RunningStepFinishes) {
  gate closed(s);
  submit_behind(closed);

  EXPECT_OK(s.abort());

  EXPECT_FALSE(must(s.landed(closed.at())));
  EXPECT_ANSWER(s.query(), errc::not_ready);
  closed.open();
  EXPECT_OK(s.synchronize(closed.at()));
}

TEST_F(Abort, WaitForDroppedStepAnswersAborted) {
  gate closed(s);
  const ticket dropped = submit_behind(closed);
  status answer;
  std::thread waiter([&] { answer = s.synchronize(dropped); });

  EXPECT_OK(s.abort());
  closed.open();
  waiter.join();

  EXPECT_EQ(answer.code, errc::aborted);
}

TEST_F(Abort, StreamStaysUsableWithoutError) {
  gate closed(s);
  const ticket dropped = submit_behind(closed);
  EXPECT_OK(s.abort());
  closed.open();
  EXPECT_ANSWER(s.synchronize(dropped), errc::aborted);

  EXPECT_OK(s.query());
  EXPECT_OK(s.synchronize());
  EXPECT_OK(device(first_device).synchronize());
  const ticket next = must(submit(s, copy{target.data(), source.data(), 64}));

  EXPECT_GT(next, dropped);
  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(target), source);
}

TEST_F(Abort, LaterStepsRun) {
  gate closed(s);
  submit_behind(closed);
  EXPECT_OK(s.abort());
  const buffer other = device_holding(zeros(64));

  EXPECT_OK(submit(s, copy{other.data(), source.data(), 64}));
  closed.open();

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(other), source);
  EXPECT_EQ(contents_of(target), zeros(64));
}

TEST_F(Abort, WaitingStreamIsEmptyAtOnce) {
  const stream held = new_stream();
  const event e = must(make_event(first_device));
  const gate closed(held);
  EXPECT_OK(record(held, e));
  EXPECT_OK(wait(s, e));
  EXPECT_OK(submit(s, copy{target.data(), source.data(), 64}));
  EXPECT_ANSWER(s.synchronize(short_wait), errc::timed_out);

  EXPECT_OK(s.abort());

  EXPECT_OK(s.query());
  EXPECT_OK(copy_sync(s, {target.data(), source.data(), 32}));
}

TEST_F(Abort, ValueWaitEnds) {
  const buffer word_place = device_holding(zeros(8));
  const ticket waiting = must(wait_value(s, {word_place.data(), 1, 8}, value_test::equal));
  const ticket behind = must(submit(s, copy{target.data(), source.data(), 64}));
  EXPECT_ANSWER(s.synchronize(short_wait), errc::timed_out);

  EXPECT_OK(s.abort());

  EXPECT_ANSWER(s.synchronize(waiting), errc::aborted);
  EXPECT_ANSWER(s.synchronize(behind), errc::aborted);
  EXPECT_OK(copy_sync(s, {target.data(), source.data(), 32}));
}

TEST_F(Abort, IdleStreamIsUnchanged) {
  EXPECT_OK(s.abort());

  EXPECT_OK(s.synchronize());
}

TEST_F(Abort, CapturesOfHostFunctionsAreReleased) {
  const auto held = std::make_shared<int>(1);
  gate closed(s);
  closed.wait_for_arrival();
  EXPECT_OK(call(s, [held] {}));

  EXPECT_OK(s.abort());

  EXPECT_EQ(held.use_count(), 1);
}

TEST_F(Abort, DroppedEventCompletesAfterRunningStep) {
  const stream waiting = new_stream();
  const event e = must(make_event(first_device));
  gate closed(s);
  closed.wait_for_arrival();
  EXPECT_OK(record(s, e));
  EXPECT_OK(wait(waiting, e));

  EXPECT_OK(s.abort());

  EXPECT_ANSWER(e.query(), errc::not_ready);
  EXPECT_ANSWER(waiting.synchronize(short_wait), errc::timed_out);
  closed.open();
  EXPECT_OK(waiting.synchronize());
  EXPECT_ANSWER(e.synchronize(), errc::aborted);
  EXPECT_ANSWER(elapsed(e, e), errc::not_recorded);
}

TEST_F(Abort, LegacyStreamWaitsForRunningStep) {
  const stream_ref legacy = must(device(first_device).default_stream());
  gate closed(s);
  submit_behind(closed);
  EXPECT_OK(call(legacy, [] {}));

  EXPECT_OK(s.abort());

  EXPECT_ANSWER(legacy.synchronize(short_wait), errc::timed_out);
  closed.open();
  EXPECT_OK(legacy.synchronize());
}

TEST_F(Abort, OtherStreamsContinue) {
  const stream other = new_stream();
  gate closed(other);
  EXPECT_OK(submit(other, copy{target.data(), source.data(), 64}));

  EXPECT_OK(s.abort());
  closed.open();

  EXPECT_OK(other.synchronize());
  EXPECT_EQ(contents_of(target), source);
}

TEST(DestroyedStream, DestroyReturnsWhileWorkIsPending) {
  stream s = new_stream();
  const bytes source = numbered(64);
  const buffer target = device_holding(zeros(64));
  const event landed = must(make_event(first_device));
  gate closed(s);
  EXPECT_OK(submit(s, copy{target.data(), source.data(), 64}));
  EXPECT_OK(record(s, landed));

  EXPECT_OK(destroy(s.release()));

  EXPECT_ANSWER(landed.query(), errc::not_ready);
  closed.open();
  EXPECT_OK(landed.synchronize());
  EXPECT_EQ(contents_of(target), source);
}

TEST(DestroyedStream, PendingWorkLands) {
  std::promise<void> reached;
  gate closed(must(device(first_device).default_stream()));

  EXPECT_OK(call(new_stream(), [&] { reached.set_value(); }));
  closed.open();

  reached.get_future().wait();
}

TEST(DestroyedStream, DeviceSynchronizeWaitsForIt) {
  stream s = new_stream();
  gate closed(s);

  s = {};

  EXPECT_ANSWER(device(first_device).synchronize(short_wait), errc::timed_out);
  closed.open();
  EXPECT_OK(device(first_device).synchronize());
}

TEST(DestroyedStream, SubmissionIsRefused) {
  stream s = new_stream();
  const stream_ref ref = s;
  const gate closed(s);
  s = {};

  EXPECT_ANSWER(call(ref, [] {}), errc::destroyed_handle);
  EXPECT_ANSWER(ref.abort(), errc::destroyed_handle);
}

}  // namespace
}  // namespace convoy
