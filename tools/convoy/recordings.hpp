// The traces of one program, a recording for each of its processes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "trace/trace_reader.hpp"

namespace convoy::tools {

struct recordings {
  std::vector<trace::recording> all;  // at least one; the earliest first

  // To add to a time of that recording to compare it with the times of the others.
  [[nodiscard]] std::uint64_t offset_of(const trace::recording& one) const {
    return one.steady - all.front().steady;
  }
};

// Throws a failure that names the file.
recordings read_recordings(const std::vector<std::string>& files);

// The sizes of the copies of a step.
struct shape_summary {
  std::vector<std::pair<std::uint64_t, std::uint64_t>>
      sizes;                   // size rounded down to a power of two, count
  std::uint64_t adjacent = 0;  // copies that adjoin the one before at source and destination
};

// Computed from the recorded copies, scaled to the number of items.
shape_summary summarize_shape(const trace::traced_step& step);

// "batch 8192 x 16 KiB"
std::string name_of(const trace::traced_step& step);
std::string directions_of(const trace::traced_step& step);

}  // namespace convoy::tools
