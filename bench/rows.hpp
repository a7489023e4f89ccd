// The workloads that are measured.

#pragma once

#include <string>
#include <vector>

#include "pages.hpp"
#include "variant.hpp"

namespace convoy::bench {

struct row {
  std::string name;  // "{}" is replaced by the count
  page_size pages = page_size::huge;
  workload (*make)(const row& self, const pools& memory);

  // For `make`; each workload reads some of them.
  std::size_t count = 0;  // copies
  std::size_t bytes = 0;  // of each copy, or of the largest
  std::size_t group = 0;  // copies in a batch, or neighbours in a run
};

enum class length { full, brief };

// Brief rows have an eighth of the copies where a batch is long: on a busy machine more rounds of a
// millisecond are undisturbed.
std::vector<row> make_rows(length wanted);

}  // namespace convoy::bench
