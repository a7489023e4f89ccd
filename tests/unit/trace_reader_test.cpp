#include "trace/trace_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "support/random_trace.hpp"
#include "support/trace_file.hpp"

namespace convoy::trace {
namespace {

using namespace test;
using testing::HasSubstr;

std::string golden() {
  std::ifstream file(CONVOY_TESTS "/unit/golden/version_1.trace", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string problem_with(std::string contents, std::uint64_t max_bytes = UINT64_MAX) {
  const auto found = parse_trace(std::move(contents), max_bytes);
  const auto* const text = std::get_if<std::string>(&found);
  return text == nullptr ? "" : *text;
}

class GoldenTrace : public testing::Test {
 protected:
  const recording found_ = std::get<recording>(parse_trace(golden()));
};

TEST_F(GoldenTrace, HeaderIsRead) {
  EXPECT_EQ(found_.process, 4711U);
  EXPECT_EQ(found_.processors, 8U);
  EXPECT_EQ(found_.wall, 1700000000000000000U);
  EXPECT_EQ(found_.steady, 5000000U);
  EXPECT_EQ(found_.command, "server --cache 4G");
  EXPECT_TRUE(found_.complete);
}

TEST_F(GoldenTrace, ThreadsAreRead) {
  ASSERT_EQ(found_.threads.size(), 1U);
  EXPECT_EQ(found_.threads.begin()->second, "golden");
}

TEST_F(GoldenTrace, StepsAreRead) {
  ASSERT_EQ(found_.steps.size(), 3U);
  const traced_step& batch = found_.steps[0];
  EXPECT_EQ(batch.stream, 2U);
  EXPECT_EQ(batch.ticket, 1U);
  EXPECT_EQ(batch.device, 1);
  EXPECT_EQ(batch.items, 3U);
  EXPECT_EQ(batch.submitted, 1000U);
  EXPECT_EQ(batch.started, 1500U);
  EXPECT_EQ(batch.landed, 4000U);
  EXPECT_EQ(found_.steps[1].outcome, errc::fault);
  EXPECT_EQ(found_.steps[1].item, 2U);
  EXPECT_EQ(found_.steps[2].waits_for.front(), (std::pair<std::uint64_t, std::uint64_t>{2, 1}));
}

TEST_F(GoldenTrace, EveryLayoutIsRead) {
  const std::vector<traced_copy> regular{{4096, 65536, 64}, {4160, 65600, 64}, {4224, 65664, 64}};
  EXPECT_EQ(found_.steps[0].copies(), regular);
  EXPECT_EQ(found_.steps[1].copies().size(), 20U);
  EXPECT_EQ(found_.steps[1].copies()[1], (traced_copy{4096 + 7 * 256, 65536 + 11 * 256, 256}));
  ASSERT_TRUE(found_.steps[2].box);
  EXPECT_EQ(found_.steps[2].box->height, 3U);
}

TEST_F(GoldenTrace, MemoryAndHelpersAreRead) {
  ASSERT_EQ(found_.memory.size(), 1U);
  EXPECT_EQ(found_.memory[0].kind, memory_kind::device);
  EXPECT_TRUE(found_.memory[0].freed);
  ASSERT_EQ(found_.helper_intervals.size(), 1U);
  EXPECT_EQ(found_.helper_intervals[0].until, 3000U);
}

TEST(TraceReader, UnknownKindsAreSkipped) {
  std::string contents = golden();
  const auto chunk = contents.begin() + 4096;
  contents.insert(chunk, {'\x08', 0, 0, 0, '\x63', 1, 2, 3});

  const auto found = parse_trace(contents);

  EXPECT_EQ(std::get<recording>(found).steps.size(), 3U);
}

TEST(TraceReader, StopsAtTruncatedEnd) {
  const std::string contents = golden();

  const auto found = std::get<recording>(parse_trace(contents.substr(0, 4096 + 60)));

  EXPECT_LT(found.steps.size(), 3U);
}

TEST(TraceReader, DamagedFilesAreHandled) {
  const std::string whole = golden();
  for (std::size_t at = 48; at != whole.size(); ++at) {
    std::string contents = whole;
    contents[at] = static_cast<char>(contents[at] ^ 0xFF);

    const auto found = parse_trace(std::move(contents));

    for (const traced_step& each : std::get<recording>(found).steps) {
      static_cast<void>(each.copies());
    }
  }
}

TEST(TraceReader, CountOfRegularShapeIsBounded) {
  std::vector<trace_record> records;
  add_step(records, {});
  records.push_back(regular_shape({}, UINT64_MAX, 64, 0, 0, 64));
  records.push_back(regular_shape({}, max_copies_in_shape, 64, 0, 0, 64));

  const auto found = std::get<recording>(parse_trace(encode(records)));

  EXPECT_EQ(found.steps.front().copies().size(), max_copies_in_shape);
  EXPECT_EQ(found.steps.front().max_recorded_copies(), 2 * max_copies_in_shape);
}

TEST(TraceReader, MemoryIsBounded) {
  std::vector<trace_record> records;
  for (std::uint64_t i = 0; i != 1000; ++i) add_step(records, {.ticket = i});
  const std::string contents = encode(records);

  EXPECT_THAT(problem_with(contents, 200'000), HasSubstr("more than 200000 bytes"));
  const auto found = std::get<recording>(parse_trace(contents));
  EXPECT_GT(found.memory_bytes, contents.size() + 1000 * sizeof(traced_step));
  EXPECT_EQ(problem_with(contents, found.memory_bytes), "");
}

TEST(TraceReader, EndlessFileIsRefused) {
  EXPECT_THAT(std::get<std::string>(read_trace("/dev/zero")), HasSubstr("not a trace"));
}

TEST(TraceReader, RefusesOtherFiles) {
  EXPECT_THAT(problem_with("hello"), HasSubstr("not a trace"));
  EXPECT_THAT(problem_with(""), HasSubstr("not a trace"));
}

TEST(TraceReader, RefusesUnknownVersion) {
  std::string contents = golden();
  contents[version_at] = 9;

  EXPECT_THAT(problem_with(contents), HasSubstr("version 9"));
}

}  // namespace
}  // namespace convoy::trace
