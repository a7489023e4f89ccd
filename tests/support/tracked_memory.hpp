// Memory, the bytes it must hold in the end, and the steps that accessed it last.
//
// The history is kept per cell: two accesses to one cell count as a conflict even when they touch
// different bytes of it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "support/vector_clock.hpp"

namespace convoy::test {

enum class accessible_by : bool { steps_only, host_code };

class tracked_memory {
 public:
  tracked_memory(std::byte* start, std::size_t bytes, std::size_t cell, accessible_by access)
      : start_(start),
        wanted_(bytes),
        cell_(cell),
        access_(access),
        cells_((bytes + cell - 1) / cell) {}

  [[nodiscard]] std::byte* at(std::size_t offset) const { return start_ + offset; }
  [[nodiscard]] std::size_t size() const { return wanted_.size(); }
  [[nodiscard]] std::size_t cell() const { return cell_; }
  [[nodiscard]] bool host_may_access() const { return access_ == accessible_by::host_code; }
  [[nodiscard]] std::span<std::byte> wanted() { return wanted_; }

  void clear_history() { cells_.assign(cells_.size(), {}); }

 private:
  friend struct region;
  struct cell_history {
    vector_clock written;
    vector_clock read;
  };

  std::byte* start_;
  std::vector<std::byte> wanted_;
  std::size_t cell_;
  accessible_by access_;
  std::vector<cell_history> cells_;
};

// A range of tracked memory. The accesses of one step are checked first, then recorded.
struct region {
  tracked_memory* memory = nullptr;
  std::size_t offset = 0;
  std::size_t bytes = 0;

  [[nodiscard]] std::byte* data() const { return memory->at(offset); }
  [[nodiscard]] std::byte* wanted() const { return memory->wanted().data() + offset; }

  // True when every earlier write, or every earlier access, happens before a step that comes after
  // `before`.
  [[nodiscard]] bool readable_after(const vector_clock& before) const;
  [[nodiscard]] bool writable_after(const vector_clock& before) const;

  void record_read(std::size_t stream, std::uint32_t tick) const;
  void record_written(std::size_t stream, std::uint32_t tick) const;
  void record_written_by_host() const;

  // True when the regions share a cell.
  [[nodiscard]] bool conflicts_with(const region& other) const;

 private:
  [[nodiscard]] std::span<tracked_memory::cell_history> cells() const;
};

}  // namespace convoy::test
