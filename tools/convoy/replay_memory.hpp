// Memory like that of a traced program: the same kinds and sizes, found by the traced addresses.
//
// Each region has an image in host memory, to which the steps are applied one by one: what the
// region must hold in the end.
#pragma once

#include <convoy/convoy.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trace/trace_reader.hpp"

namespace convoy::tools {

struct region {
  std::uint64_t address = 0;  // in the traced program
  std::uint64_t bytes = 0;
  memory_kind kind = memory_kind::pageable;
  device_id device = {};
  trace::timestamp from = 0;
  trace::timestamp until = UINT64_MAX;
  buffer owned;  // empty for pageable memory
  std::unique_ptr<std::byte[]> pageable;
  std::byte* start = nullptr;  // null until a step uses it
  std::vector<std::byte> image;
};

// An address in a region, and the same in its image.
struct replay_address {
  std::byte* memory = nullptr;
  std::byte* image = nullptr;
};

class replay_memory {
 public:
  // Allocates the memory that the recorded steps use, and fills it with bytes computed from their
  // addresses.
  explicit replay_memory(const trace::recording& from);

  // `when` selects the allocation that was live at that time. A recorded step must use the range.
  [[nodiscard]] replay_address at(std::uint64_t address, trace::timestamp when) const;

  // Memory for copies that were not recorded, of the kind of the allocation at `sample`.
  replay_address scratch(std::uint64_t sample, trace::timestamp when, std::size_t bytes,
                         bool source);

  // The first difference from the images, in a sentence; none when every byte is right.
  [[nodiscard]] std::optional<std::string> difference() const;

  [[nodiscard]] std::size_t bytes() const;

 private:
  [[nodiscard]] const region* find(std::uint64_t address, trace::timestamp when) const;
  void touch(std::uint64_t address, std::uint64_t bytes, trace::timestamp when);
  void add_pageable();
  void open(region& target) const;
  void fill(region& target) const;

  std::vector<region> regions_;
  std::vector<region> scratch_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>>
      unallocated_;  // ranges outside of every allocation
  stream stream_;
};

}  // namespace convoy::tools
