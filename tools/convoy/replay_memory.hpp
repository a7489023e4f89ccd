// Memory like that of a traced program: the same kinds and sizes, found by the traced addresses.
//
// Each region has an image in host memory, to which the steps are applied one by one: what the
// region must hold in the end. A trace is foreign input: every range is checked against its region,
// and memory is counted against a limit before it is allocated.
#pragma once

#include <convoy/convoy.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "allocation_timeline.hpp"
#include "byte_budget.hpp"
#include "trace/trace_reader.hpp"

namespace convoy::tools {

struct region {
  std::uint64_t address = 0;  // in the traced program
  std::uint64_t bytes = 0;
  memory_kind kind = memory_kind::pageable;
  device_id device = {};
  buffer owned;  // empty for pageable memory
  std::unique_ptr<std::byte[]> pageable;
  std::byte* start = nullptr;
  std::unique_ptr<std::byte[]> image;
};

// An address in a region, and the same in its image.
struct replay_address {
  std::byte* memory = nullptr;
  std::byte* image = nullptr;
  const region* in = nullptr;
};

// Throws bad_trace when the range wraps around the end of the address space.
std::uint64_t end_of(std::uint64_t address, std::uint64_t bytes);

// True for a step that copied without an error and can be submitted again.
bool can_replay(const trace::traced_step& step);

// The bytes that one side of a box spans. Throws bad_trace when the box is none that a program
// could have submitted.
std::uint64_t box_span(const trace::traced_box& box, copy_side side);

class replay_memory {
 public:
  // Allocates the memory that the recorded steps use, without touching it. Throws bad_trace, before
  // it allocates any, when a range is impossible or the memory exceeds the budget.
  replay_memory(const trace::recording& recorded, byte_budget& budget);

  // Fills all memory and its images with bytes computed from the addresses.
  void fill();

  // For one pass over the steps in the order of the recording.
  [[nodiscard]] allocation_timeline timeline() const {
    return allocation_timeline(recording_.memory);
  }

  // The range that a step submitted at `when` used. Throws bad_trace.
  [[nodiscard]] replay_address at(allocation_timeline& timeline, std::uint64_t address,
                                  std::uint64_t bytes, trace::timestamp when) const;

  // Memory for copies that were not recorded, of the kind of `model`.
  replay_address scratch(const region& model, std::uint64_t bytes, bool source);

  // The first difference from the images, in a sentence; none when every byte is right.
  [[nodiscard]] std::optional<std::string> difference() const;

 private:
  using range = std::pair<std::uint64_t, std::uint64_t>;  // first byte and end

  // The allocation that contains the range; none for pageable memory.
  [[nodiscard]] std::optional<std::size_t> allocation_of(allocation_timeline& timeline,
                                                         std::uint64_t address, std::uint64_t bytes,
                                                         trace::timestamp when) const;
  void find_used(const trace::traced_step& step, allocation_timeline& timeline,
                 std::vector<bool>& used, std::vector<range>& pageable) const;
  void add_pageable(std::vector<range> ranges);
  void open(region& target) const;
  [[nodiscard]] std::optional<std::string> difference_in(const region& checked) const;

  const trace::recording& recording_;
  byte_budget& budget_;
  std::vector<region> regions_;   // as in recording_.memory; without memory where no step uses it
  std::vector<region> pageable_;  // outside of every allocation; by address
  std::vector<region> scratch_;
  stream stream_;
};

}  // namespace convoy::tools
