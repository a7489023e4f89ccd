#include <gmock/gmock.h>

#include <convoy/convoy.hpp>
#include <stdexcept>

#include "support/arrays.hpp"
#include "support/contents.hpp"
#include "support/gate.hpp"
#include "support/short_wait.hpp"
#include "support/unmapped_page.hpp"

namespace convoy {
namespace {

using namespace test;
using testing::HasSubstr;

class StickyError : public testing::Test {
 protected:
  // Fails a step of `s` with function_threw.
  ticket fail() const {
    return must(call(s, [] { throw std::runtime_error("no"); }));
  }

  const stream s = new_stream();
  const unmapped_page unmapped;
  const bytes source = numbered(64);
  const buffer target = device_holding(zeros(64));
};

TEST_F(StickyError, StaysUntilCleared) {
  fail();

  EXPECT_ANSWER(s.synchronize(), errc::function_threw);
  EXPECT_ANSWER(s.synchronize(), errc::function_threw);
  EXPECT_ANSWER(s.query(), errc::function_threw);
  EXPECT_OK(s.clear_error());
  EXPECT_OK(s.synchronize());
  EXPECT_OK(s.query());
}

TEST_F(StickyError, FirstFailureIsKept) {
  EXPECT_OK(submit(s, copy{target.data(), unmapped.data(), 64}));
  fail();

  EXPECT_ANSWER(s.synchronize(), errc::fault);
}

TEST_F(StickyError, NewFailureIsKeptAfterClear) {
  fail();
  EXPECT_ANSWER(s.synchronize(), errc::function_threw);
  EXPECT_OK(s.clear_error());

  EXPECT_OK(submit(s, copy{target.data(), unmapped.data(), 64}));

  EXPECT_ANSWER(s.synchronize(), errc::fault);
}

TEST_F(StickyError, LaterStepsRun) {
  fail();

  EXPECT_OK(submit(s, copy{target.data(), source.data(), 64}));

  EXPECT_ANSWER(s.synchronize(), errc::function_threw);
  EXPECT_EQ(contents_of(target), source);
}

TEST_F(StickyError, EarlierTicketsSucceed) {
  const ticket before = must(call(s, [] {}));
  const ticket failing = fail();
  EXPECT_ANSWER(s.synchronize(), errc::function_threw);

  EXPECT_OK(s.synchronize(before));
  EXPECT_ANSWER(s.synchronize(failing), errc::function_threw);
}

TEST_F(StickyError, QueryIsNotReadyWhilePending) {
  fail();
  gate closed(s);

  EXPECT_ANSWER(s.query(), errc::not_ready);

  closed.open();
  EXPECT_ANSWER(s.synchronize(), errc::function_threw);
}

TEST_F(StickyError, OtherStreamsHaveNoError) {
  const stream other = new_stream();
  fail();
  EXPECT_ANSWER(s.synchronize(), errc::function_threw);

  EXPECT_OK(copy_sync(other, {target.data(), source.data(), 64}));
  EXPECT_OK(other.query());
}

TEST_F(StickyError, DeviceSynchronizeAnswersIt) {
  fail();

  EXPECT_ANSWER(device(first_device).synchronize(), errc::function_threw);
  EXPECT_OK(device(second_device).synchronize());

  EXPECT_OK(s.clear_error());
  EXPECT_OK(device(first_device).synchronize());
}

TEST_F(StickyError, EndsWithItsStream) {
  stream passing = new_stream(second_device);
  EXPECT_OK(call(passing, [] { throw std::runtime_error("no"); }));
  EXPECT_ANSWER(passing.synchronize(), errc::function_threw);

  passing = {};

  EXPECT_OK(device(second_device).synchronize());
}

TEST_F(StickyError, LaterEventsAnswerIt) {
  const event before = must(make_event(first_device));
  const event after = must(make_event(first_device));
  EXPECT_OK(record(s, before));
  fail();
  EXPECT_OK(record(s, after));

  EXPECT_ANSWER(after.synchronize(), errc::function_threw);
  EXPECT_OK(before.synchronize());
  EXPECT_OK(after.query());
}

TEST_F(StickyError, WaitingStreamsHaveNoError) {
  const stream waiting = new_stream();
  const event after = must(make_event(first_device));
  fail();
  EXPECT_OK(record(s, after));

  EXPECT_OK(wait(waiting, after));

  EXPECT_OK(waiting.synchronize());
}

TEST_F(StickyError, LaterSubmissionsSucceed) {
  fail();
  EXPECT_ANSWER(s.synchronize(), errc::function_threw);
  const std::vector<copy> one{{target.data(), source.data(), 64}};
  const arrays pageable{one[0]};

  EXPECT_OK(submit(s, one));
  EXPECT_OK(submit(s, one, {.order = source_access::during_call}));
  EXPECT_OK(submit(s, pageable.view(), {.pageable_blocks = true}));

  EXPECT_ANSWER(s.synchronize(), errc::function_threw);
}

TEST_F(StickyError, BlockingCallAnswersOwnFailure) {
  const arrays bad{{target.data(), source.data(), 8}, {target.data() + 8, unmapped.data(), 8}};

  const status answer = submit(s, bad.view(), {.pageable_blocks = true}).error();

  EXPECT_EQ(answer.code, errc::fault);
  EXPECT_EQ(answer.item, 1U);
  EXPECT_ANSWER(s.query(), errc::fault);
}

TEST(Refusal, LeavesNoErrorBehind) {
  const stream s = new_stream();

  EXPECT_ANSWER(submit(s, copy{nullptr, nullptr, 1}), errc::null_pointer);

  EXPECT_OK(s.synchronize());
}

TEST(Explain, NamesItemSideAddressAndMemory) {
  const stream s = new_stream();
  const buffer small = must(make_device_buffer(second_device, 100));
  const bytes source = numbered(200);
  const std::vector<copy> copies{{small.data(), source.data(), 10},
                                 {small.data() + 40, source.data(), 61}};

  const std::string sentence = explain(submit(s, copies).error());

  EXPECT_THAT(sentence, HasSubstr("item 1"));
  EXPECT_THAT(sentence, HasSubstr("destination"));
  EXPECT_THAT(sentence, HasSubstr("memory of device 1"));
  EXPECT_THAT(sentence, HasSubstr("60 bytes before the end of its 100"));
}

TEST(Explain, EveryCodeHasNameAndSentence) {
  for (int code = 0; code <= static_cast<int>(errc::forked); ++code) {
    EXPECT_NE(name(errc(code)), "unknown");
    EXPECT_GT(explain({errc(code)}).size(), 10U) << name(errc(code));
  }
}

class StoppedStream : public StickyError {
 protected:
  StoppedStream() { EXPECT_OK(s.set_after_failure(after_failure::stop)); }
};

TEST_F(StoppedStream, StepsAreSkippedUntilClear) {
  int ran = 0;
  fail();
  EXPECT_OK(call(s, [&] { ++ran; }));
  EXPECT_OK(submit(s, copy{target.data(), source.data(), 64}));

  EXPECT_ANSWER(s.synchronize(), errc::function_threw);
  EXPECT_EQ(ran, 0);
  EXPECT_EQ(contents_of(target), zeros(64));

  EXPECT_OK(s.clear_error());
  EXPECT_OK(call(s, [&] { ++ran; }));
  EXPECT_OK(s.synchronize());
  EXPECT_EQ(ran, 1);
}

TEST_F(StoppedStream, StepsSubmittedBeforeClearAreSkipped) {
  const stream held = new_stream();
  const event failed = must(make_event(first_device));
  const event opened = must(make_event(first_device));
  gate closed(held);
  EXPECT_OK(record(held, opened));
  int before = 0;
  int after = 0;
  fail();
  EXPECT_OK(record(s, failed));
  EXPECT_OK(wait(s, opened));
  EXPECT_OK(call(s, [&] { ++before; }));
  EXPECT_ANSWER(failed.synchronize(), errc::function_threw);

  EXPECT_OK(s.clear_error());
  EXPECT_OK(call(s, [&] { ++after; }));
  closed.open();

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(before, 0);
  EXPECT_EQ(after, 1);
}

TEST_F(StoppedStream, CapturesOfHostFunctionsAreReleased) {
  const auto held = std::make_shared<int>(1);
  fail();
  EXPECT_OK(call(s, [held] {}));

  EXPECT_ANSWER(s.synchronize(), errc::function_threw);

  EXPECT_EQ(held.use_count(), 1);
}

TEST_F(StoppedStream, BlockingCallAnswersAborted) {
  fail();
  EXPECT_ANSWER(s.synchronize(), errc::function_threw);
  const arrays pageable{{target.data(), source.data(), 64}};

  EXPECT_ANSWER(submit(s, pageable.view(), {.pageable_blocks = true}), errc::aborted);

  EXPECT_ANSWER(s.synchronize(), errc::function_threw);
}

TEST_F(StoppedStream, SkippedEventsComplete) {
  const stream other = new_stream();
  const event plain = must(make_event(first_device));
  const event latched = must(make_event(first_device, {.latched = true}));
  EXPECT_OK(wait(other, latched));
  fail();
  EXPECT_OK(record(s, plain));
  EXPECT_OK(record(s, latched));
  EXPECT_OK(wait(other, plain));

  EXPECT_OK(other.synchronize());

  EXPECT_OK(plain.query());
  EXPECT_ANSWER(plain.synchronize(), errc::function_threw);
}

TEST_F(StoppedStream, SkippedStepsStillWaitForEvents) {
  const stream held = new_stream();
  const event before = must(make_event(first_device));
  const event after = must(make_event(first_device));
  gate closed(held);
  EXPECT_OK(record(held, before));
  fail();
  EXPECT_OK(wait(s, before));
  EXPECT_OK(record(s, after));

  EXPECT_ANSWER(after.synchronize(short_wait), errc::timed_out);
  closed.open();

  EXPECT_ANSWER(after.synchronize(), errc::function_threw);
}

TEST_F(StoppedStream, DestroyedStreamStillSkips) {
  stream passing = new_stream();
  const stream held = new_stream();
  const event failed = must(make_event(first_device));
  const event opened = must(make_event(first_device));
  gate closed(held);
  EXPECT_OK(record(held, opened));
  EXPECT_OK(passing.set_after_failure(after_failure::stop));
  EXPECT_OK(call(passing, [] { throw std::runtime_error("no"); }));
  EXPECT_OK(record(passing, failed));
  EXPECT_OK(wait(passing, opened));
  EXPECT_OK(submit(passing, copy{target.data(), source.data(), 64}));
  EXPECT_ANSWER(failed.synchronize(), errc::function_threw);

  passing = {};
  closed.open();

  EXPECT_OK(device(first_device).synchronize());
  EXPECT_EQ(contents_of(target), zeros(64));
}

TEST_F(StoppedStream, GoOnResumesSteps) {
  int ran = 0;
  fail();
  EXPECT_ANSWER(s.synchronize(), errc::function_threw);

  EXPECT_OK(s.set_after_failure(after_failure::go_on));
  EXPECT_OK(call(s, [&] { ++ran; }));

  EXPECT_ANSWER(s.synchronize(), errc::function_threw);
  EXPECT_EQ(ran, 1);
}

TEST_F(StoppedStream, FailedStreamStopsAtOnce) {
  const stream late = new_stream();
  int ran = 0;
  EXPECT_OK(call(late, [] { throw std::runtime_error("no"); }));
  EXPECT_ANSWER(late.synchronize(), errc::function_threw);

  EXPECT_OK(late.set_after_failure(after_failure::stop));
  EXPECT_OK(call(late, [&] { ++ran; }));

  EXPECT_ANSWER(late.synchronize(), errc::function_threw);
  EXPECT_EQ(ran, 0);
}

}  // namespace
}  // namespace convoy
