// How much was copied, and how long it waited and took.
//
// Counting is off until enable_metrics(), or on from the start with CONVOY_LOG=summary; while it is
// off it costs nothing. Values read while steps land may miss the last of them.
#pragma once

#include <chrono>
#include <convoy/export.hpp>
#include <convoy/status.hpp>
#include <cstdint>
#include <string>

namespace convoy {

// Quantiles are right to about 3 %.
struct time_summary {
  std::chrono::nanoseconds total{};
  std::chrono::nanoseconds p50{};
  std::chrono::nanoseconds p90{};
  std::chrono::nanoseconds p99{};
};

// Of all steps that move bytes: batches, single copies, pitched ones, fills, reductions, and copies
// described in memory, whose bytes are not counted.
struct metrics {
  std::uint64_t batches = 0;
  std::uint64_t copies = 0;
  std::uint64_t bytes = 0;
  std::uint64_t failures = 0;  // steps that failed or were dropped
  time_summary queued = {};    // from submission to start
  time_summary copying = {};   // from start to landing
};

// Start and stop counting; the counters keep their values.
CONVOY_EXPORT status enable_metrics();
CONVOY_EXPORT status disable_metrics();
CONVOY_EXPORT result<metrics> read_metrics();

// A few lines for people.
CONVOY_EXPORT std::string describe(const metrics& values);

}  // namespace convoy
