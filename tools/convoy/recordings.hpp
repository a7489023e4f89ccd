// The traces of one program, a recording for each of its processes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "shared/failure.hpp"
#include "trace/trace_reader.hpp"

namespace convoy::tools {

// A file that is no trace, a trace that no program can have recorded, or one that exceeds a limit.
// The command ends with exit status 2.
class bad_trace : public failure {
 public:
  using failure::failure;
};

struct recordings {
  std::vector<trace::recording> all;  // at least one; the earliest first

  // To add to a time of that recording to compare it with the times of the others.
  [[nodiscard]] std::uint64_t offset_of(const trace::recording& one) const {
    return one.steady - all.front().steady;
  }
};

// Throws a bad_trace that names the file, also when all files take more than `max_bytes` of memory.
recordings read_recordings(const std::vector<std::string>& files, std::uint64_t max_bytes);

// What the commands that read traces occupy at most by default: 4 GiB, or half of the available
// memory if that is less.
std::uint64_t default_memory_limit();

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
