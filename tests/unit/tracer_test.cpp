#include "trace/tracer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <barrier>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include "os/fault_guard.hpp"
#include "support/trace_file.hpp"
#include "trace/trace_reader.hpp"

namespace convoy::trace {
namespace {

using namespace test;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class Tracer : public testing::Test {
 protected:
  static observed_step step(std::uint64_t at, std::span<const copy> copies) {
    std::size_t bytes = 0;
    for (const copy& c : copies) bytes += c.bytes;
    return {.stream = 3,
            .position = ticket{at},
            .summary = {.items = copies.size(),
                        .bytes = bytes,
                        .copy_directions = directions{}.with(direction::host_to_device),
                        .copies = copies},
            .device = device_id{1},
            .submitted = std::chrono::steady_clock::now()};
  }

  void run(observed_step observed, const status& outcome = {}) {
    tracer_->submitted(observed);
    observed.started = observed.submitted + std::chrono::microseconds(5);
    tracer_->started(observed);
    observed.landed = observed.started + std::chrono::microseconds(7);
    tracer_->landed(observed, outcome);
  }

  [[nodiscard]] recording read() const { return recording_in(file_.path()); }

  trace_file file_;
  std::string problem_;
  std::unique_ptr<tracer> tracer_ = tracer::create(file_.path(), problem_);
};

copy at(std::uintptr_t dst, std::uintptr_t src, std::size_t bytes) {
  return {reinterpret_cast<void*>(dst), reinterpret_cast<const void*>(src), bytes};
}

std::vector<traced_copy> as_traced(std::span<const copy> copies) {
  std::vector<traced_copy> all;
  for (const copy& c : copies) {
    all.push_back({reinterpret_cast<std::uintptr_t>(c.dst), reinterpret_cast<std::uintptr_t>(c.src),
                   c.bytes});
  }
  return all;
}

TEST_F(Tracer, StepIsRecordedCompletely) {
  const std::vector copies{at(0x1000, 0x9000, 64)};

  run(step(7, copies), {errc::fault, copy_side::none, 0});

  const recording found = read();
  ASSERT_EQ(found.steps.size(), 1U);
  const traced_step& one = found.steps.front();
  EXPECT_EQ(one.stream, 3U);
  EXPECT_EQ(one.ticket, 7U);
  EXPECT_EQ(one.device, 1);
  EXPECT_EQ(one.bytes, 64U);
  EXPECT_TRUE(one.copy_directions.has(direction::host_to_device));
  EXPECT_EQ(*one.started - one.submitted, 5000U);
  EXPECT_EQ(*one.landed - *one.started, 7000U);
  EXPECT_EQ(one.outcome, errc::fault);
  EXPECT_EQ(one.item, 0U);
  EXPECT_EQ(found.threads.count(one.runner), 1U);
}

TEST_F(Tracer, RegularShapesAreKept) {
  std::vector<copy> copies;
  for (std::uintptr_t i = 0; i != 1000; ++i) copies.push_back(at(i * 512, 1 << 30, 256));

  run(step(1, copies));

  EXPECT_EQ(read().steps.front().copies(), as_traced(copies));
}

TEST_F(Tracer, ManySmallCopiesAreCutOff) {
  std::vector<copy> copies;
  for (std::uintptr_t i = 0; i != 10000; ++i) copies.push_back(at(i * 512, 1 << 30, 256));

  run(step(1, copies));

  const auto kept = as_traced(std::span(copies).first(1024));
  EXPECT_EQ(read().steps.front().copies(), kept);
}

TEST_F(Tracer, LargeBatchKeepsMoreCopies) {
  std::vector<copy> copies;
  for (std::uintptr_t i = 0; i != 10000; ++i) copies.push_back(at(i * 16384, 1 << 30, 8192));

  run(step(1, copies));

  const auto kept = as_traced(std::span(copies).first(2500));
  EXPECT_EQ(read().steps.front().copies(), kept);
}

TEST_F(Tracer, ScatteredShapesAreKept) {
  std::vector<copy> copies;
  for (std::uintptr_t i = 0; i != 10000; ++i) {
    copies.push_back(at((i * 7919 % 10007) << 15, (1ULL << 40) + ((i * 31 % 10007) << 15), 32768));
  }

  run(step(1, copies));

  EXPECT_EQ(read().steps.front().copies(), as_traced(copies));
}

TEST_F(Tracer, IrregularShapesAreKept) {
  std::vector<copy> copies;
  for (std::uintptr_t i = 0; i != 5000; ++i) {
    copies.push_back(at(i * 0x123456789abcULL % (1ULL << 47), ~i >> 17, 8192 + i * i % 70000));
  }

  run(step(1, copies));

  EXPECT_EQ(read().steps.front().copies(), as_traced(copies));
}

TEST_F(Tracer, RowsOfBoxAreKept) {
  const pitched_copy box_copy{
      {reinterpret_cast<void*>(0x100), 64, 8}, {reinterpret_cast<void*>(0x900), 32, 4}, {24, 3, 2}};
  observed_step observed = step(1, {});
  observed.summary.kind = step_kind::pitched;
  observed.summary.box_copy = &box_copy;

  run(observed);

  const auto box = read().steps.front().box;
  ASSERT_TRUE(box);
  EXPECT_EQ(box->dst, 0x100U);
  EXPECT_EQ(box->src_pitch, 32U);
  EXPECT_EQ(box->depth, 2U);
}

TEST_F(Tracer, DroppedStepsAreRecorded) {
  observed_step observed = step(1, {});
  tracer_->submitted(observed);

  tracer_->landed(observed, {errc::aborted});

  const traced_step one = read().steps.front();
  EXPECT_FALSE(one.started);
  EXPECT_EQ(one.outcome, errc::aborted);
}

TEST_F(Tracer, WaitsAreRecorded) {
  const std::vector<step_position> others{{5, ticket{9}}, {6, ticket{1}}};
  observed_step observed = step(1, {});
  observed.waits_for = others;

  run(observed);

  EXPECT_THAT(read().steps.front().waits_for, ElementsAre(std::pair{5U, 9U}, std::pair{6U, 1U}));
}

TEST_F(Tracer, AllocationsAndFreesAreRecorded) {
  void* const start = reinterpret_cast<void*>(0x5000);
  const observed_memory pinned{{.kind = memory_kind::pinned, .base = start, .size = 4096}, start};
  tracer_->allocated(pinned);
  tracer_->freed(pinned);
  tracer_->allocated(pinned);

  const auto memory = read().memory;

  ASSERT_EQ(memory.size(), 2U);
  EXPECT_EQ(memory[0].kind, memory_kind::pinned);
  EXPECT_EQ(memory[0].bytes, 4096U);
  EXPECT_TRUE(memory[0].freed);
  EXPECT_FALSE(memory[1].freed);
}

TEST_F(Tracer, ThreadsAreSeparate) {
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t != 4; ++t) {
    threads.emplace_back([this, t] {
      for (std::uint64_t i = 0; i != 3000; ++i) run(step(t * 3000 + i, {}));
    });
  }
  for (std::thread& each : threads) each.join();

  const recording found = read();

  EXPECT_EQ(found.steps.size(), 12000U);
  std::map<std::uint32_t, int> ran;
  for (const traced_step& each : found.steps) ++ran[each.runner];
  EXPECT_EQ(ran.size(), 4U);
}

TEST_F(Tracer, RecordsOnAfterTrim) {
  run(step(1, {}));
  tracer_->trim();
  const auto trimmed = std::filesystem::file_size(file_.path());

  for (std::uint64_t i = 2; i != 5000; ++i) run(step(i, {}));

  EXPECT_EQ(trimmed, 2 * chunk_bytes);
  EXPECT_EQ(read().steps.size(), 4999U);
}

TEST_F(Tracer, FileNameContainsProcessId) {
  const auto folder = std::filesystem::path(file_.path()).parent_path();
  const auto other = tracer::create((folder / "of_%p.trace").string(), problem_);

  const auto expected = folder / ("of_" + std::to_string(::getpid()) + ".trace");

  EXPECT_TRUE(std::filesystem::remove(expected));
}

TEST_F(Tracer, FileInUseIsNotShared) {
  run(step(1, {}));

  const auto second = tracer::create(file_.path(), problem_);

  ASSERT_NE(second, nullptr);
  EXPECT_EQ(read().steps.size(), 1U);
  EXPECT_TRUE(std::filesystem::remove(file_.path() + '.' + std::to_string(::getpid())));
}

TEST_F(Tracer, TruncatedFileLosesRecordsOnly) {
  os::install_fault_handler(nullptr);
  run(step(1, {}));
  std::filesystem::resize_file(file_.path(), 0);

  for (std::uint64_t i = 2; i != 1000; ++i) run(step(i, {}));
  testing::internal::CaptureStderr();
  tracer_->trim();

  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              AllOf(StartsWith("convoy: 2994 records"), HasSubstr(file_.path()),
                    HasSubstr("another process has truncated it")));
}

TEST_F(Tracer, EveryThreadSurvivesTruncation) {
  os::install_fault_handler(nullptr);
  std::barrier both(3);
  const auto record_around_truncation = [&] {
    run(step(1, {}));
    both.arrive_and_wait();
    both.arrive_and_wait();
    for (std::uint64_t i = 0; i != 1000; ++i) run(step(i, {}));
  };
  std::thread first(record_around_truncation);
  std::thread second(record_around_truncation);
  both.arrive_and_wait();
  std::filesystem::resize_file(file_.path(), 4096);
  both.arrive_and_wait();
  first.join();
  second.join();

  EXPECT_FALSE(read().complete);
}

TEST_F(Tracer, GrowingTruncatedFileIsRefused) {
  os::install_fault_handler(nullptr);
  for (std::uint64_t i = 0; i != 100; ++i) run(step(i, {}));
  tracer_->trim();
  std::filesystem::resize_file(file_.path(), chunk_bytes);

  for (std::uint64_t i = 0; i != 5000; ++i) run(step(i, {}));

  EXPECT_EQ(std::filesystem::file_size(file_.path()), chunk_bytes);
  EXPECT_FALSE(read().complete);
}

TEST_F(Tracer, FileSizeLimitLosesRecordsOnly) {
  struct rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  struct rlimit lowered = before;
  lowered.rlim_cur = std::size_t{4} << 20;  // the file has this size already
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &lowered), 0);

  std::vector<copy> copies;
  for (std::uintptr_t i = 0; i != 1000; ++i) copies.push_back(at(i * i * 64, i * 7919, 64 + i));
  for (std::uint64_t i = 0; i != 2000; ++i) run(step(i, copies));
  ::setrlimit(RLIMIT_FSIZE, &before);
  testing::internal::CaptureStderr();
  tracer_->trim();

  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("limit of file sizes"));
  const recording found = read();
  EXPECT_FALSE(found.complete);
  EXPECT_GT(found.steps.size(), 100U);
}

// A limit stands for a disk with 300 KiB left: it needs no privileges.
TEST_F(Tracer, SmallDiskHoldsFirstRecords) {
  const trace_file file;
  struct rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  struct rlimit lowered = before;
  lowered.rlim_cur = std::size_t{300} << 10;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &lowered), 0);

  std::string problem;
  const auto writer = tracer::create(file.path(), problem);
  for (std::uint64_t i = 0; i != 20000; ++i) writer->submitted(step(i, {}));
  ::setrlimit(RLIMIT_FSIZE, &before);
  testing::internal::CaptureStderr();
  writer->trim();

  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("records of the trace"));
  EXPECT_EQ(std::filesystem::file_size(file.path()), 4 * chunk_bytes);
  const recording found = recording_in(file.path());
  EXPECT_FALSE(found.complete);
  EXPECT_GT(found.steps.size(), 1000U);
}

class TracerFile : public testing::Test {
 protected:
  // Why no trace is written to the path.
  std::string problem_with(const std::string& path) {
    std::string problem;
    return tracer::create(path, problem) == nullptr ? problem : "";
  }
  static std::string contents(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  trace_file file_;
  const std::string other_ = file_.path() + ".other";
};

TEST_F(TracerFile, ImpossiblePathIsRefused) {
  EXPECT_THAT(problem_with("/nonexistent/a.trace"), HasSubstr("cannot be written (No such file"));
}

TEST_F(TracerFile, SymbolicLinkIsRefused) {
  std::ofstream(other_) << "precious";
  std::filesystem::create_symlink(other_, file_.path());

  EXPECT_EQ(problem_with(file_.path()), "is a symbolic link");
  EXPECT_EQ(contents(other_), "precious");
}

TEST_F(TracerFile, SymbolicLinkToNothingIsRefused) {
  std::filesystem::create_symlink(other_, file_.path());

  EXPECT_EQ(problem_with(file_.path()), "is a symbolic link");
  EXPECT_FALSE(std::filesystem::exists(other_));
}

TEST_F(TracerFile, HardLinkedFileKeepsItsContents) {
  std::ofstream(other_) << "precious";
  std::filesystem::create_hard_link(other_, file_.path());

  EXPECT_EQ(problem_with(file_.path()), "");
  EXPECT_EQ(contents(other_), "precious");
  EXPECT_THAT(contents(file_.path()), StartsWith(std::string(magic)));
}

TEST_F(TracerFile, EarlierTraceIsReplaced) {
  std::ofstream(file_.path()) << "earlier";

  EXPECT_EQ(problem_with(file_.path()), "");
  EXPECT_THAT(contents(file_.path()), StartsWith(std::string(magic)));
}

TEST_F(TracerFile, FolderAndPipeAreRefused) {
  std::filesystem::create_directory(file_.path());
  ASSERT_EQ(::mkfifo(other_.c_str(), 0600), 0);

  EXPECT_EQ(problem_with(file_.path()), "is not a regular file");
  EXPECT_EQ(problem_with(other_), "is not a regular file");
}

TEST_F(TracerFile, FileOfAnotherUserIsRefused) {
  std::ofstream(file_.path()) << "theirs";
  if (::chown(file_.path().c_str(), 12345, 12345) != 0) GTEST_SKIP() << "chown needs root";

  EXPECT_EQ(problem_with(file_.path()), "belongs to another user");
  EXPECT_EQ(contents(file_.path()), "theirs");
}

}  // namespace
}  // namespace convoy::trace
