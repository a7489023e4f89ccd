// The workloads that are measured.

#pragma once

#include <string>
#include <vector>

#include "pages.hpp"
#include "variant.hpp"

namespace convoy::bench {

struct row {
  std::string name;  // "{}" stands for the count
  page_size pages = page_size::huge;
  workload (*make)(const row& self, const pools& memory);

  // For `make`; each workload reads those it knows.
  std::size_t count = 0;  // copies
  std::size_t bytes = 0;  // of each copy; of the largest where they differ
  std::size_t group = 0;  // copies in a batch, or neighbours in a run
};

enum class length { full, brief };

// Brief ones take an eighth of the copies where a batch is long: rounds of a millisecond find more
// quiet moments on a busy machine.
std::vector<row> make_rows(length wanted);

}  // namespace convoy::bench
