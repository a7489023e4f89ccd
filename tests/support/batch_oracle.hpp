// A second, simple implementation of the rules for batches, to compare the engine with.
#pragma once

#include <convoy/batch.hpp>
#include <convoy/rules.hpp>
#include <convoy/status.hpp>
#include <cstddef>
#include <vector>

namespace convoy::test {

// A pointer and the properties of its memory.
struct known_pointer {
  std::byte* at = nullptr;
  memory_kind kind = memory_kind::pageable;
  int device = 0;
  bool allocated = true;
  std::size_t bytes_left = 0;  // that a copy may access from here on
};

struct known_copy {
  known_pointer dst;
  known_pointer src;
  std::size_t bytes = 0;
  std::size_t capacity = SIZE_MAX;
};

struct known_batch {
  std::vector<known_copy> copies;
  std::vector<attribute_run> runs;
  batch_rules rules;
  bool peers_connected = false;
};

// The status that the engine must answer, without an address.
status predicted(const known_batch& batch);

}  // namespace convoy::test
