// Other ways to batch the recorded copies, measured on this machine.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "replayer.hpp"

namespace convoy::tools {

struct alternative {
  std::string change;    // as a phrase, such as "2 batches instead of the 4096 copies of ..."
  double before_ns = 0;  // of all steps that change
  double after_ns = 0;

  [[nodiscard]] double speedup() const { return after_ns > 0 ? before_ns / after_ns : 0; }
};

// Tries the steps that took longest: coalesced, joined with their neighbours, and split.
std::vector<alternative> measure_alternatives(const replayer& played);

// The copies with each run of adjacent ones merged into one copy.
std::vector<copy> coalesced(std::span<const copy> copies);

}  // namespace convoy::tools
