// Finds the allocation that contained an address at a given time, in logarithmic time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "trace/trace_reader.hpp"

namespace convoy::tools {

class allocation_timeline {
 public:
  // `by_time` is sorted by time of allocation, no range wraps around, and the span stays valid.
  explicit allocation_timeline(std::span<const trace::traced_memory> by_time) : by_time_(by_time) {}

  // The index of the latest allocation up to `when` that contains the address. From call to call
  // `when` must not decrease.
  std::optional<std::size_t> find(std::uint64_t address, trace::timestamp when);

 private:
  struct piece {
    std::uint64_t end;
    std::size_t allocation;
  };

  void add_next();
  void remove_overlapped(std::uint64_t start, std::uint64_t end);

  std::span<const trace::traced_memory> by_time_;
  std::size_t added_ = 0;
  std::map<std::uint64_t, piece> pieces_;  // disjoint, by start
};

}  // namespace convoy::tools
