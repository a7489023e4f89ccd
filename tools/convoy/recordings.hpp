// Traces of one program, a recording for each of its processes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "trace/trace_reader.hpp"

namespace convoy::tools {

struct recordings {
  std::vector<trace::recording> all;  // at least one; the earliest first

  // What must be added to a time of that recording to compare it with the others'.
  [[nodiscard]] std::uint64_t offset_of(const trace::recording& one) const {
    return one.steady - all.front().steady;
  }
};

// Throws a failure that names the file.
recordings read_recordings(const std::vector<std::string>& files);

// What is worth knowing about the copies of a step.
struct shape_summary {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> sizes;  // power of two it reaches, how many
  std::uint64_t adjacent = 0;  // copies that continue the one before at both ends
};

// From the copies that were told, scaled up to all of them.
shape_summary summarize_shape(const trace::traced_step& step);

// "batch 8192 x 16 KiB"
std::string name_of(const trace::traced_step& step);
std::string directions_of(const trace::traced_step& step);

}  // namespace convoy::tools
