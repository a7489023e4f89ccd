// Replays a recording within limits and reports the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "batch_alternatives.hpp"
#include "trace/trace_reader.hpp"

namespace convoy::tools {

struct replay_options {
  std::uint64_t memory_limit = 0;  // bytes, of the recording, its memory and the images
  std::uint64_t copy_limit = 0;    // bytes that all copies move
  bool advice = true;
};

struct replay_report {
  std::size_t steps = 0;
  std::size_t left_out = 0;
  std::size_t synthesized = 0;
  std::size_t bytes = 0;
  double recorded_ns = 0;       // time of copies in the recording
  double replayed_ns = 0;       // time of copies here
  std::string difference = {};  // the first wrong byte; empty when every byte is right
  std::string race = {};        // explains the difference; empty when nothing does
  std::vector<alternative> alternatives = {};
};

// Throws bad_trace when no program can have recorded it, or when a limit is exceeded. Calls
// progress(fraction done).
replay_report replay(const trace::recording& from, const replay_options& options,
                     const std::function<void(double)>& progress);

}  // namespace convoy::tools
