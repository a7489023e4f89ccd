#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "allocation_timeline.hpp"
#include "support/random_trace.hpp"
#include "support/replay_trial.hpp"

namespace convoy::test {
namespace {

using testing::HasSubstr;
using tools::bad_trace;
using tools::replay_options;
using tools::replay_report;

constexpr std::uint64_t mib = std::uint64_t{1} << 20;
constexpr std::uint64_t dst = 0x10000000;
constexpr std::uint64_t src = 0x20000000;

// REPLAY_MUTANTS in the environment, or 5000. Not a CONVOY_ variable: those are the engine's.
std::uint64_t mutants() {
  const char* const text = std::getenv("REPLAY_MUTANTS");
  return text == nullptr ? 5000 : std::strtoull(text, nullptr, 10);
}

class Replay : public testing::Test {
 protected:
  static replay_report play(const std::vector<trace_record>& records,
                            const replay_options& options = {16 * mib, 16 * mib, false}) {
    const auto read = trace::parse_trace(encode(records));
    return tools::replay(std::get<trace::recording>(read), options, [](double) {});
  }

  // The sentence with which the trace is refused; empty when it is replayed.
  static std::string refusal(const std::vector<trace_record>& records,
                             const replay_options& options = {16 * mib, 16 * mib, false}) {
    try {
      play(records, options);
    } catch (const bad_trace& problem) {
      return problem.what();
    }
    return "";
  }

  // One step with the shape, and two allocations of 4096 bytes.
  static std::vector<trace_record> records_with(const trace_record& shape,
                                                const step_fields& step = {},
                                                memory_kind kind = memory_kind::pinned) {
    std::vector<trace_record> all{allocated(0, dst, 4096, kind), allocated(0, src, 4096, kind)};
    add_step(all, step);
    all.push_back(shape);
    return all;
  }

  replay_trial environment_;
};

TEST_F(Replay, CopiesInsideAllocationsAreReplayed) {
  const auto found = play(records_with(regular_shape({}, 4, 1024, dst, src, 1024)));

  EXPECT_EQ(found.steps, 1U);
  EXPECT_EQ(found.left_out, 0U);
  EXPECT_EQ(found.difference, "");
}

TEST_F(Replay, CopyBeyondAllocationIsRefused) {
  EXPECT_THAT(refusal(records_with(regular_shape({}, 1, 4097, dst, src, 0))),
              HasSubstr("leave their allocation"));
  EXPECT_THAT(refusal(records_with(regular_shape({}, 5, 1024, dst, src, 1000))),
              HasSubstr("leave their allocation"));
}

TEST_F(Replay, CopyBeyondRegistrationHasMemory) {
  const auto found = play(records_with(regular_shape({}, 1, 65536, dst + 100, src + 7, 0), {},
                                       memory_kind::registered));

  EXPECT_EQ(found.difference, "");
}

TEST_F(Replay, RangeThatWrapsAroundIsRefused) {
  EXPECT_THAT(refusal(records_with(regular_shape({}, 1, 4096, UINT64_MAX - 100, src, 0))),
              HasSubstr("wrap around"));
  EXPECT_THAT(refusal({allocated(0, UINT64_MAX - 100, 4096, memory_kind::device)}),
              HasSubstr("wrap around"));
  const std::uint64_t huge = std::uint64_t{1} << 63;
  EXPECT_THAT(refusal(records_with(box_shape({}, {dst, src, huge, huge, 0, 0, 8, 3, 1}),
                                   {.kind = step_kind::pitched})),
              HasSubstr("impossible"));
}

TEST_F(Replay, OneRowHasAnyPitch) {
  const std::uint64_t huge = std::uint64_t{1} << 63;
  for (const step_kind kind : {step_kind::pitched, step_kind::fill, step_kind::reduce}) {
    const auto shape = box_shape({}, {dst, src, huge, huge, 0, 0, 8, 1, 1});
    EXPECT_EQ(play(records_with(shape, {.kind = kind})).difference, "");
  }
}

TEST_F(Replay, MemoryAboveTheLimitIsRefused) {
  std::vector<trace_record> far{};
  add_step(far, {});
  far.push_back(regular_shape({}, 2, 4 * mib, dst, src, 64 * mib));
  EXPECT_THAT(refusal(far), HasSubstr("--memory-limit"));
  EXPECT_EQ(refusal(far, {64 * mib, 16 * mib, false}), "");
}

TEST_F(Replay, UnrecordedCopiesCountAgainstTheLimit) {
  EXPECT_THAT(refusal(records_with(regular_shape({}, 1, 16, dst, src, 0),
                                   {.items = std::uint64_t{1} << 40})),
              HasSubstr("--memory-limit"));
}

TEST_F(Replay, BytesAboveLimitAreRefused) {
  const auto same_bytes = records_with(regular_shape({}, 4096, 4096, dst, src, 0));

  EXPECT_THAT(refusal(same_bytes, {16 * mib, mib, false}), HasSubstr("--copy-limit"));
}

TEST_F(Replay, FailedStepsNeedNoMemory) {
  const step_fields failed{.outcome = static_cast<std::uint8_t>(errc::fault)};

  const auto found = play(records_with(regular_shape({}, 1, UINT64_MAX, dst, src, 0), failed));

  EXPECT_EQ(found.left_out, 1U);
}

TEST_F(Replay, ImpossibleValuesAreRefused) {
  const auto shape = regular_shape({}, 1, 64, dst, src, 0);
  EXPECT_THAT(refusal(records_with(shape, {.device = 64})), HasSubstr("device 64"));
  EXPECT_THAT(refusal(records_with(shape, {.device = UINT64_MAX})), HasSubstr("device -1"));
  EXPECT_THAT(refusal(records_with(shape, {}, static_cast<memory_kind>(9))),
              HasSubstr("unknown kind 9"));
  EXPECT_THAT(refusal({allocated(0, dst, 64, memory_kind::device, 64)}), HasSubstr("device 64"));
  auto backwards = records_with(shape);
  backwards.push_back(step_record(trace::record_kind::landed, 1, 1).number(1).byte(0).number(0));
  EXPECT_THAT(refusal(backwards), HasSubstr("lands before it starts"));
}

// Whatever the steps before an impossible one would cost.
TEST_F(Replay, ImpossibleValuesAreRefusedFirst) {
  std::vector<trace_record> costly{};
  add_step(costly, {});
  costly.push_back(regular_shape({}, 4096, 4 * mib, dst, src, 64 * mib));
  add_step(costly, {.ticket = 2, .device = 64});
  costly.push_back(regular_shape({.ticket = 2}, 1, 64, dst, src, 0));

  EXPECT_THAT(refusal(costly), HasSubstr("device 64"));
}

TEST_F(Replay, OverlappingCopiesOfBatchAreNamed) {
  trace_record shape = step_record(trace::record_kind::shape, 1, 1);
  shape.number(0).number(2).byte(static_cast<std::uint8_t>(trace::layout::loose));
  shape.number(4096).signed_number(dst).signed_number(src);
  shape.number(4095).signed_number(1).signed_number(0);

  const auto found = play(records_with(shape, {.items = 2}));

  EXPECT_TRUE(found.difference.empty() || !found.race.empty()) << found.difference;
}

TEST(AllocationTimeline, LatestAllocationIsFound) {
  const auto made = [](std::uint64_t time, std::uint64_t address, std::uint64_t bytes) {
    trace::traced_memory all;
    all.allocated = time;
    all.address = address;
    all.bytes = bytes;
    return all;
  };
  const std::vector memory{made(1, 100, 100), made(2, 120, 20), made(3, 110, 100), made(9, 0, 999)};
  tools::allocation_timeline timeline(memory);

  EXPECT_EQ(timeline.find(100, 0), std::nullopt);
  EXPECT_EQ(timeline.find(150, 1), 0U);
  EXPECT_EQ(timeline.find(200, 1), std::nullopt);
  EXPECT_EQ(timeline.find(119, 2), 0U);
  EXPECT_EQ(timeline.find(139, 2), 1U);
  EXPECT_EQ(timeline.find(140, 2), 0U);
  EXPECT_EQ(timeline.find(109, 3), 0U);
  EXPECT_EQ(timeline.find(130, 3), 2U);
  EXPECT_EQ(timeline.find(209, 3), 2U);
  EXPECT_EQ(timeline.find(210, 3), std::nullopt);
}

TEST(ReplayFuzz, RandomTracesAreReplayed) {
  replay_trial trial;
  for (std::uint64_t seed = 0; seed != 200; ++seed) {
    ASSERT_EQ(trial.problem(random_trace(seed).valid()), "") << "in trace " << seed;
  }
  EXPECT_EQ(trial.replayed(), 200);
}

TEST(ReplayFuzz, MutantsAreReplayedOrRefused) {
  replay_trial trial;
  const std::uint64_t count = mutants();
  for (std::uint64_t seed = 0; seed != count; ++seed) {
    ASSERT_EQ(trial.problem(random_trace(seed).mutant()), "") << "in mutant " << seed;
  }
  EXPECT_GT(trial.replayed(), static_cast<int>(count / 10));
  EXPECT_LT(trial.replayed(), static_cast<int>(count));
}

}  // namespace
}  // namespace convoy::test
