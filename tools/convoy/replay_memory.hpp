// Memory like that of a traced program: the same kinds and sizes, found by the traced addresses.
//
// Beside each region lies its image, which the steps are played on one by one in host memory: what
// the real one must hold in the end.
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
  trace::moment from = 0;
  trace::moment until = UINT64_MAX;
  buffer owned;  // unless it is pageable
  std::unique_ptr<std::byte[]> pageable;
  std::byte* start = nullptr;  // none as long as no step touches it
  std::vector<std::byte> image;
};

// A byte of a region, there and in the image.
struct replay_address {
  std::byte* memory = nullptr;
  std::byte* image = nullptr;
};

class replay_memory {
 public:
  // Makes what the steps of the recording touch, and fills it with bytes that tell their place.
  explicit replay_memory(const trace::recording& from);

  // For a step of that moment. The range must be one that a step of the recording touches.
  [[nodiscard]] replay_address at(std::uint64_t address, trace::moment when) const;

  // Room for copies that the trace did not tell, of the kinds that the addresses are.
  replay_address scratch(std::uint64_t sample, trace::moment when, std::size_t bytes, bool source);

  // What differs from the images, in a sentence; none when every byte is right.
  [[nodiscard]] std::optional<std::string> difference() const;

  [[nodiscard]] std::size_t bytes() const;

 private:
  [[nodiscard]] const region* find(std::uint64_t address, trace::moment when) const;
  void touch(std::uint64_t address, std::uint64_t bytes, trace::moment when);
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
