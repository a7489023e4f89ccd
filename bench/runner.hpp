// Measures variants against each other on one workload.
//
// Variants are interleaved round by round, in a random order each round, on the same addresses, so
// that other load affects all of them alike. Each waits until no other thread runs; if threads of
// this process had to wait for a CPU nevertheless, the round is discarded.

#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "variant.hpp"

namespace convoy::bench {

struct effort {
  std::size_t rounds = 40;                   // undisturbed rounds wanted of every variant
  std::chrono::milliseconds patience{8000};  // for one workload
};

struct outcome {
  std::string variant;
  family kind;
  std::size_t copies = 0;
  std::size_t bytes = 0;
  double lower_quartile = 0;  // seconds, as the next two
  double median = 0;
  double upper_quartile = 0;
  std::size_t kept = 0;  // rounds
  std::size_t discarded = 0;
  bool disturbed = false;  // too few quiet rounds: the times include other load
  bool wrong = false;      // a byte was not copied

  [[nodiscard]] double gigabytes_per_second() const { return double(bytes) / median * 1e-9; }
  [[nodiscard]] double nanoseconds_per_copy() const { return median / double(copies) * 1e9; }
};

std::vector<outcome> measure(const workload& work, const std::vector<variant>& variants,
                             const effort& limits);

}  // namespace convoy::bench
