// How much was copied, and how long steps waited and ran.
//
// Counting is off until enable_metrics(), or on from the start with CONVOY_LOG=summary; while it is
// off, nothing is counted and no timestamps are taken. Values read while steps are running may miss
// the latest of them.
#pragma once

#include <chrono>
#include <convoy/export.hpp>
#include <convoy/status.hpp>
#include <cstdint>
#include <string>

namespace convoy {

// The sum of all times and their quantiles, which are accurate to about 3 %.
struct time_summary {
  std::chrono::nanoseconds total{};
  std::chrono::nanoseconds p50{};
  std::chrono::nanoseconds p90{};
  std::chrono::nanoseconds p99{};
};

// Counts of the steps that move bytes: batches, single and pitched copies, fills, values that a
// stream writes, reductions, and copies and prefetches described in device memory, whose bytes are
// not counted. Other steps do not count.
struct metrics {
  std::uint64_t batches = 0;  // steps
  std::uint64_t copies = 0;   // items of the steps
  std::uint64_t bytes = 0;
  std::uint64_t failures = 0;  // steps that failed or were dropped
  time_summary queued = {};    // from submission to start
  time_summary copying = {};   // from start to landing
};

// Start or stop counting; the counters keep their values. Return at once.
CONVOY_EXPORT status enable_metrics();
CONVOY_EXPORT status disable_metrics();

// The counters since the process started. Does not wait and resets nothing.
CONVOY_EXPORT result<metrics> read_metrics();

// Three lines of text for people, as CONVOY_LOG=summary prints them at exit. Never fails.
CONVOY_EXPORT std::string describe(const metrics& values);

}  // namespace convoy
