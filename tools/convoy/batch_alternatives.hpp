// Where other batches would be faster, measured on this machine.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "replayer.hpp"

namespace convoy::tools {

struct alternative {
  std::string change;    // as a phrase, such as "2 batches instead of the 4096 copies of ..."
  double before_ns = 0;  // for all the steps it is about
  double after_ns = 0;

  [[nodiscard]] double speedup() const { return after_ns > 0 ? before_ns / after_ns : 0; }
};

// The steps that took longest are tried: coalesced, joined, and cut otherwise.
std::vector<alternative> measure_alternatives(const replayer& played);

// What is left of copies that adjoin when each run of them is one copy.
std::vector<copy> coalesced(std::span<const copy> copies);

}  // namespace convoy::tools
