// Submission without an engine: the calls observers get, and the port of each copy.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <convoy/api_function.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "submit/batch_submission.hpp"
#include "submit/step_submission.hpp"
#include "support/contents.hpp"
#include "support/eventually.hpp"
#include "support/recording_observer.hpp"
#include "support/submit_setup.hpp"

namespace convoy::test {
namespace {

constexpr device_id device_0{0};
constexpr device_id device_1{1};

status wait_for(const stream_state& stream, ticket position) {
  return stream.queue->wait(position, within_limit());
}

// Counts steps that started or landed before they were submitted, and recordings before recorded().
class order_observer final : public observer {
 public:
  void submitted(const observed_step& step) override { submitted_ = number(step.position); }
  void recorded(const observed_event& event) override { recorded_ = number(event.step.position); }
  void started(const observed_step& step) override {
    check(step);
    if (step.summary.kind == step_kind::record && recorded_ < number(step.position)) ++violations_;
  }
  void landed(const observed_step& step, const status& /*outcome*/) override { check(step); }

  [[nodiscard]] int violations() const { return violations_; }

 private:
  void check(const observed_step& step) {
    if (submitted_ < number(step.position)) ++violations_;
  }

  std::atomic<std::uint64_t> submitted_ = 0;
  std::atomic<std::uint64_t> recorded_ = 0;
  std::atomic<int> violations_ = 0;
};

TEST(Submit, RecordedPrecedesStartedOnSpinningWorker) {
  order_observer seen;
  submit_setup setup(&seen);
  stream_state stream = setup.make_stream();
  const named_event event{std::make_shared<event_state>(device_0, false), 77};

  for (int round = 0; round != 300; ++round) {
    const ticket last = must(submit_record(setup.context(), stream, event));
    // Polled: a thread that waits would run the steps itself.
    ASSERT_TRUE(eventually([&] { return stream.queue->landed(last); }));
  }

  EXPECT_EQ(seen.violations(), 0);
}

TEST(Submit, SubmittedPrecedesStartedOnSpinningWorker) {
  order_observer seen;
  submit_setup setup(&seen);
  stream_state stream = setup.make_stream();
  std::byte* const target = setup.allocate_pinned(8);

  for (int round = 0; round != 200; ++round) {
    ticket last;
    for (int i = 0; i != 50; ++i) {
      last = must(submit_fill(setup.context(), stream, {target, 8, 0}, {8, 1, 1}, {1, 1}));
    }
    // Polled: a thread that waits would run the steps itself.
    ASSERT_TRUE(eventually([&] { return stream.queue->landed(last); }));
  }

  EXPECT_EQ(seen.violations(), 0);
}

// Keeps the call that submitted the latest step.
class details_observer final : public observer {
 public:
  void submitted(const observed_step& step) override {
    ASSERT_NE(step.call, nullptr);
    function = step.call->function;
    copies.assign(step.call->copies.begin(), step.call->copies.end());
    runs.assign(step.call->runs.begin(), step.call->runs.end());
    if (step.call->box_copy != nullptr) box_copy = *step.call->box_copy;
    descriptor = step.call->descriptor;
    if (step.call->based != nullptr) based = *step.call->based;
  }
  void started(const observed_step& step) override {
    engine_copies.assign(step.summary.copies.begin(), step.summary.copies.end());
  }
  void landed(const observed_step&, const status&) override {}
  void recorded(const observed_event& event) override { events.push_back(event); }
  void awaited(const observed_event& event) override { events.push_back(event); }
  void synchronized(const observed_sync& sync) override { syncs.push_back(sync); }

  std::string function;
  std::vector<copy> copies;
  std::vector<copy> engine_copies;
  std::vector<attribute_run> runs;
  std::optional<pitched_copy> box_copy;
  const void* descriptor = nullptr;
  std::optional<based_copy> based;
  std::vector<observed_event> events;
  std::vector<observed_sync> syncs;
};

class SubmitDetails : public testing::Test {
 protected:
  details_observer seen_;
  submit_setup setup_{&seen_};
  stream_state stream_ = setup_.make_stream();
};

TEST_F(SubmitDetails, NativeCallNamesItsFunction) {
  std::byte* const target = setup_.allocate_pinned(8);

  const ticket at = must(submit_fill(setup_.context(), stream_, {target, 8, 0}, {8, 1, 1}, {1, 1}));

  EXPECT_EQ(seen_.function, "convoy::fill");
  EXPECT_OK(wait_for(stream_, at));
}

TEST_F(SubmitDetails, DropInCallNamesItsFunction) {
  std::byte* const target = setup_.allocate_pinned(8);
  const std::array copies{copy{target, target + 4, 4}};
  {
    const scoped_api_function call("cudaMemcpyAsync");
    must(submit_batch(setup_.context(), stream_, copies, {}));
    EXPECT_EQ(seen_.function, "cudaMemcpyAsync");
  }

  must(submit_batch(setup_.context(), stream_, copies, {}));

  EXPECT_EQ(seen_.function, "convoy::submit");
}

TEST_F(SubmitDetails, RunsShowTheirAccessOrder) {
  std::byte* const memory = setup_.allocate_pinned(16);
  const std::array copies{copy{memory, memory + 8, 4}, copy{memory + 4, memory + 12, 4}};
  const std::array runs{attribute_run{0, {.order = source_access::any}},
                        attribute_run{1, {.order = source_access::during_call}}};

  must(submit_batch(setup_.context(), stream_, must(make_batch(copies, runs))));

  ASSERT_EQ(seen_.runs.size(), 2U);
  EXPECT_EQ(seen_.runs[0].attrs.order, source_access::any);
  EXPECT_EQ(seen_.runs[1].first, 1U);
  EXPECT_EQ(seen_.runs[1].attrs.order, source_access::during_call);
}

TEST(SubmitIsolated, DetailsHaveTheProgramsAddresses) {
  details_observer seen;
  submit_setup setup(&seen, {.isolated = true});
  stream_state stream = setup.make_stream();
  std::byte* const dst = setup.allocate(device_0, 8);
  const std::array copies{copy{dst, setup.allocate_pinned(8), 8}};
  ASSERT_NE(setup.engine_address(dst), dst);

  const ticket at = must(submit_batch(setup.context(), stream, copies, {}));
  EXPECT_OK(wait_for(stream, at));

  ASSERT_EQ(seen.copies.size(), 1U);
  EXPECT_EQ(seen.copies[0], copies[0]);
  ASSERT_EQ(seen.engine_copies.size(), 1U);
  EXPECT_EQ(seen.engine_copies[0].dst, setup.engine_address(dst));
}

TEST(SubmitIsolated, FillShowsTheProgramsAddress) {
  details_observer seen;
  submit_setup setup(&seen, {.isolated = true});
  stream_state stream = setup.make_stream();
  std::byte* const target = setup.allocate(device_0, 8);

  const ticket at = must(submit_fill(setup.context(), stream, {target, 8, 0}, {8, 1, 1}, {1, 1}));
  EXPECT_OK(wait_for(stream, at));

  ASSERT_TRUE(seen.box_copy);
  EXPECT_EQ(seen.box_copy->dst.start, target);
}

TEST_F(SubmitDetails, IndirectCopyShowsItsDescriptor) {
  std::byte* const descriptor = setup_.allocate(device_0, 64);

  must(submit_indirect(setup_.context(), stream_, descriptor, descriptor_layout{}));

  EXPECT_EQ(seen_.descriptor, descriptor);
  EXPECT_FALSE(seen_.based);
}

TEST_F(SubmitDetails, BasedCopyShowsBothBases) {
  std::byte* const bases = setup_.allocate(device_0, 2 * sizeof(void*));

  must(submit_indirect(setup_.context(), stream_, based_copy{bases, 1, bases + 8, 2, 3}));

  EXPECT_EQ(seen_.descriptor, nullptr);
  ASSERT_TRUE(seen_.based);
  EXPECT_EQ(seen_.based->dst_base, bases);
  EXPECT_EQ(seen_.based->dst_offset, 1U);
  EXPECT_EQ(seen_.based->src_base, bases + 8);
  EXPECT_EQ(seen_.based->src_offset, 2U);
  EXPECT_EQ(seen_.based->bytes, 3U);
}

TEST_F(SubmitDetails, BlockingSubmissionIsSynchronized) {
  const bytes src = numbered(8);
  std::array<void*, 1> dsts{setup_.allocate(device_0, 8)};
  const std::array<const void*, 1> srcs{src.data()};
  const std::array<std::size_t, 1> sizes{8};

  const batch_view work{.dsts = dsts, .srcs = srcs, .sizes = sizes};
  const ticket at =
      must(submit_batch(setup_.context(), stream_, work, batch_rules{.pageable_blocks = true}));

  EXPECT_TRUE(stream_.queue->landed(at));
  ASSERT_EQ(seen_.syncs.size(), 1U);
  EXPECT_EQ(seen_.syncs[0].kind, sync_kind::blocking_call);
  EXPECT_EQ(seen_.syncs[0].reached.position, at);
  EXPECT_STREQ(seen_.syncs[0].function, "convoy::submit");
}

TEST_F(SubmitDetails, PinnedSubmissionIsNotSynchronized) {
  std::byte* const memory = setup_.allocate_pinned(16);
  std::array<void*, 1> dsts{memory};
  const std::array<const void*, 1> srcs{memory + 8};
  const std::array<std::size_t, 1> sizes{8};

  const batch_view work{.dsts = dsts, .srcs = srcs, .sizes = sizes};
  must(submit_batch(setup_.context(), stream_, work, batch_rules{.pageable_blocks = true}));

  EXPECT_TRUE(seen_.syncs.empty());
}

// A stream whose first step the device holds.
class SubmitHeld : public testing::Test {
 protected:
  SubmitHeld() {
    const std::array copies{copy{memory_, memory_ + 8, 8}};
    first_ = must(submit_batch(setup_.context(), stream_, copies, {}));
  }
  void SetUp() override { ASSERT_TRUE(setup_.late().wait_until_held()); }

  details_observer seen_;
  submit_setup setup_{&seen_, {.ports = port_choice::late}};
  stream_state stream_ = setup_.make_stream();
  stream_state other_ = setup_.make_stream();
  std::byte* const memory_ = setup_.allocate_pinned(16);
  ticket first_;
  const named_event event_{std::make_shared<event_state>(device_0, false), 77};
};

TEST_F(SubmitHeld, EventAndItsWaitAreObserved) {
  const ticket recorded = must(submit_record(setup_.context(), stream_, event_));
  const ticket awaited = must(submit_wait(setup_.context(), other_, event_));

  ASSERT_EQ(seen_.events.size(), 2U);
  EXPECT_EQ(seen_.events[0].event, 77U);
  EXPECT_EQ(seen_.events[0].step.position, recorded);
  EXPECT_STREQ(seen_.events[0].function, "convoy::record");
  EXPECT_EQ(seen_.events[1].event, 77U);
  EXPECT_EQ(seen_.events[1].step.stream, other_.queue->position_of({}).stream);
  EXPECT_EQ(seen_.events[1].step.position, awaited);
  EXPECT_FALSE(seen_.events[1].elided);

  setup_.late().finish_first();
  EXPECT_OK(wait_for(other_, awaited));
}

TEST_F(SubmitHeld, ElidedWaitsAreObservedToo) {
  EXPECT_EQ(must(submit_wait(setup_.context(), other_, event_)), ticket{});  // never recorded
  const ticket recorded = must(submit_record(setup_.context(), stream_, event_));
  setup_.late().finish_first();
  EXPECT_OK(wait_for(stream_, recorded));
  ASSERT_TRUE(eventually([&] { return event_.state->awaited_signal()->raised(); }));
  EXPECT_EQ(must(submit_wait(setup_.context(), other_, event_)), ticket{});  // reached

  ASSERT_EQ(seen_.events.size(), 3U);
  EXPECT_TRUE(seen_.events[0].elided);
  EXPECT_TRUE(seen_.events[2].elided);
  EXPECT_EQ(other_.queue->last(), ticket{});
}

TEST_F(SubmitHeld, BlockingSubmissionReturnsAfterLateCompletion) {
  const bytes src = numbered(8);
  std::array<void*, 1> dsts{memory_};
  const std::array<const void*, 1> srcs{src.data()};
  const std::array<std::size_t, 1> sizes{8};
  const batch_view work{.dsts = dsts, .srcs = srcs, .sizes = sizes};
  setup_.late().finish_first();
  std::jthread device([this] {
    if (setup_.late().wait_until_held()) setup_.late().finish_first();
  });

  must(submit_batch(setup_.context(), stream_, work, batch_rules{.pageable_blocks = true}));

  EXPECT_TRUE(std::equal(src.begin(), src.end(), memory_));
  EXPECT_EQ(seen_.syncs.size(), 1U);
}

// The source is read by its port, which finishes late, while the step before is still held.
TEST_F(SubmitHeld, EarlySourceIsReadBeforeReturn) {
  bytes src = numbered(8);
  const bytes wanted = src;
  const std::array copies{copy{memory_, src.data(), 8}};
  std::jthread device([this] {
    if (setup_.late().wait_until_held(2)) setup_.late().finish_last();
  });

  const ticket at = must(submit_batch(setup_.context(), stream_, copies,
                                      attributes{.order = source_access::during_call}));
  device.join();
  std::fill(src.begin(), src.end(), std::byte{0});
  EXPECT_FALSE(stream_.queue->landed(first_));

  setup_.late().finish_first();
  ASSERT_TRUE(setup_.late().wait_until_held());
  setup_.late().finish_first();
  EXPECT_OK(wait_for(stream_, at));
  EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), memory_));
}

// Both devices have ports of their own, which hold work; host memory has the CPU's.
class SubmitSplit : public testing::Test {
 protected:
  // Items 0 and 2 go to device 0, item 1 to device 1, item 3 stays in host memory.
  ticket submit_four() {
    const std::array copies{copy{first_, src_, 8}, copy{second_, src_ + 8, 8},
                            copy{first_ + 8, src_ + 16, 8}, copy{host_, src_ + 24, 8}};
    const ticket at = must(submit_batch(setup_.context(), stream_, copies, {}));
    EXPECT_TRUE(setup_.late(0).wait_until_held());
    EXPECT_TRUE(setup_.late(1).wait_until_held());
    return at;
  }
  static std::byte* filled(std::byte* start, const bytes& contents) {
    std::copy(contents.begin(), contents.end(), start);
    return start;
  }
  bool has_item(const std::byte* dst, std::size_t item) const {
    return std::equal(dst, dst + 8, src_ + item * 8);
  }

  recording_observer seen_;
  submit_setup setup_{&seen_, {.ports = port_choice::late_devices}};
  stream_state stream_ = setup_.make_stream();
  std::byte* const src_ = filled(setup_.allocate_pinned(32), numbered(32));
  std::byte* const host_ = filled(setup_.allocate_pinned(8), zeros(8));
  std::byte* const first_ = filled(setup_.allocate(device_0, 16), zeros(16));
  std::byte* const second_ = filled(setup_.allocate(device_1, 8), zeros(8));
};

TEST_F(SubmitSplit, EachPortMovesItsOwnItems) {
  const ticket at = submit_four();
  EXPECT_EQ(setup_.late(0).held(), 1U);
  EXPECT_EQ(setup_.late(1).held(), 1U);
  EXPECT_FALSE(has_item(first_, 0));
  EXPECT_FALSE(has_item(second_, 1));

  setup_.late(0).finish_first();
  EXPECT_TRUE(has_item(first_, 0));
  EXPECT_TRUE(has_item(first_ + 8, 2));
  EXPECT_FALSE(has_item(second_, 1));
  EXPECT_FALSE(stream_.queue->landed(at));

  setup_.late(1).finish_first();
  EXPECT_OK(wait_for(stream_, at));
  EXPECT_TRUE(has_item(second_, 1));
  EXPECT_TRUE(has_item(host_, 3));
}

TEST_F(SubmitSplit, FailureNamesItemOfTheBatch) {
  const ticket at = submit_four();

  setup_.late(1).finish_first();
  setup_.late(0).fail_first({errc::fault, copy_side::none, 1});  // its second copy is item 2

  EXPECT_EQ(wait_for(stream_, at), (status{errc::fault, copy_side::none, 2}));
  EXPECT_EQ(stream_.queue->failure_of(at).item, 2U);
}

TEST_F(SubmitSplit, SplitBatchIsOneStep) {
  const ticket at = submit_four();
  setup_.late(0).finish_first();
  setup_.late(1).finish_first();
  EXPECT_OK(wait_for(stream_, at));

  EXPECT_EQ(seen_.text(), "submitted:1.1 started:1.1 landed:1.1");
}

TEST_F(SubmitSplit, OtherPortsAreNotInvolved) {
  const std::array copies{copy{second_, src_ + 8, 8}};

  const ticket at = must(submit_batch(setup_.context(), stream_, copies, {}));

  ASSERT_TRUE(setup_.late(1).wait_until_held());
  EXPECT_EQ(setup_.late(0).held(), 0U);
  EXPECT_FALSE(has_item(second_, 1));
  setup_.late(1).finish_first();
  EXPECT_OK(wait_for(stream_, at));
  EXPECT_TRUE(has_item(second_, 1));
}

TEST_F(SubmitSplit, PortOfSourceReadsEarlySource) {
  bytes back = zeros(8);
  const bytes wanted = numbered(8, 3);
  filled(second_, wanted);
  const std::array ahead{copy{first_, src_, 8}};
  const std::array copies{copy{back.data(), second_, 8}};
  must(submit_batch(setup_.context(), stream_, ahead, {}));
  ASSERT_TRUE(setup_.late(0).wait_until_held());
  std::jthread device([this] {
    if (setup_.late(1).wait_until_held()) setup_.late(1).finish_first();
  });

  const ticket at = must(submit_batch(setup_.context(), stream_, copies,
                                      attributes{.order = source_access::during_call}));
  filled(second_, zeros(8));
  setup_.late(0).finish_first();

  EXPECT_OK(wait_for(stream_, at));
  EXPECT_EQ(back, wanted);
  EXPECT_EQ(setup_.late(1).held(), 0U);
}

TEST(SubmitInFlight, HeldStepsOccupyNoWorker) {
  recording_observer seen;
  submit_setup setup(&seen, {.ports = port_choice::late});
  std::byte* const memory = setup.allocate_pinned(128);
  std::vector<stream_state> streams;
  for (std::size_t i = 0; i != 8; ++i) {
    streams.push_back(setup.make_stream());
    const std::array copies{copy{memory + i * 8, memory + 64 + i * 8, 8}};
    must(submit_batch(setup.context(), streams.back(), copies, {}));
  }

  // The one worker has started all of them, and no thread waits.
  EXPECT_TRUE(setup.late().wait_until_held(8));

  while (setup.late().held() != 0) setup.late().finish_last();
  for (const stream_state& each : streams) EXPECT_OK(wait_for(each, each.queue->last()));
}

}  // namespace
}  // namespace convoy::test
