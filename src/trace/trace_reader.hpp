// Reads a trace file: steps, helping threads and allocations, sorted by time.
#pragma once

#include <convoy/location.hpp>
#include <convoy/rules.hpp>
#include <convoy/status.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "seam/observer.hpp"
#include "trace/shape_code.hpp"

namespace convoy::trace {

using timestamp = std::uint64_t;  // nanoseconds since the trace began

struct traced_box {
  std::uint64_t dst = 0, src = 0;  // src is 0 for a fill
  std::uint64_t dst_pitch = 0, src_pitch = 0;
  std::uint64_t dst_slice_rows = 0, src_slice_rows = 0;
  std::uint64_t width = 0, height = 0, depth = 0;
};

struct traced_step {
  std::uint64_t stream = 0;
  std::uint64_t ticket = 0;
  std::int32_t device = 0;
  step_kind kind = step_kind::copies;
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;
  directions copy_directions = {};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> waits_for;  // stream and ticket
  timestamp submitted = 0;
  std::optional<timestamp> started;
  std::optional<timestamp> landed;
  std::uint32_t submitter = 0;  // kernel thread ids
  std::uint32_t runner = 0;
  errc outcome = errc::ok;
  std::optional<std::uint64_t> item;
  std::vector<std::string_view> shapes;  // encoded copies in `contents`, in order
  std::optional<traced_box> box;

  // Decodes the shapes: visit(copy) for each recorded copy, in order.
  void for_each_copy(const std::function<void(const traced_copy&)>& visit) const;
  // The same as a vector, which may be large.
  [[nodiscard]] std::vector<traced_copy> copies() const;
  // No fewer than the recorded copies, without decoding them.
  [[nodiscard]] std::uint64_t max_recorded_copies() const;
};

// 0 when `until` is before `from`, as in a damaged file.
constexpr timestamp elapsed(timestamp from, timestamp until) noexcept {
  return until > from ? until - from : 0;
}

struct helper_interval {
  std::uint32_t thread = 0;
  timestamp from = 0;
  timestamp until = 0;
};

struct traced_memory {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  memory_kind kind = memory_kind::pageable;
  std::int32_t device = 0;
  timestamp allocated = 0;
  std::optional<timestamp> freed;
};

struct recording {
  std::uint32_t process = 0;
  std::uint32_t processors = 0;
  std::uint64_t wall = 0;    // start time, in nanoseconds since 1970
  std::uint64_t steady = 0;  // the same on the monotonic clock
  std::string command;
  bool complete = true;  // false when the file was full
  std::map<std::uint32_t, std::string> threads;
  std::vector<traced_step> steps;  // by time of submission
  std::vector<helper_interval> helper_intervals;
  std::vector<traced_memory> memory;  // by time of allocation

  std::shared_ptr<const std::string> contents;  // the file; shapes point into it
  std::uint64_t memory_bytes = 0;               // about what this recording occupies
};

// The recording, or an error sentence about the file, also when it would occupy more than
// `max_bytes` of memory. Damaged records are skipped; values are as the file has them.
std::variant<recording, std::string> read_trace(const std::string& path,
                                                std::uint64_t max_bytes = UINT64_MAX);
std::variant<recording, std::string> parse_trace(std::string contents,
                                                 std::uint64_t max_bytes = UINT64_MAX);

}  // namespace convoy::trace
