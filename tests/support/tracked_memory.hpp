// Memory, the bytes it must hold in the end, and which steps touched it last.
//
// Steps are told apart by cells, so that two accesses to one cell count as a conflict even when
// they touch different bytes of it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "support/vector_clock.hpp"

namespace convoy::test {

enum class reachable_by : bool { steps_only, host_code };

class tracked_memory {
 public:
  tracked_memory(std::byte* start, std::size_t bytes, std::size_t cell, reachable_by who)
      : start_(start), wanted_(bytes), cell_(cell), who_(who), cells_((bytes + cell - 1) / cell) {}

  [[nodiscard]] std::byte* at(std::size_t offset) const { return start_ + offset; }
  [[nodiscard]] std::size_t size() const { return wanted_.size(); }
  [[nodiscard]] std::size_t cell() const { return cell_; }
  [[nodiscard]] bool host_reaches() const { return who_ == reachable_by::host_code; }
  [[nodiscard]] std::span<std::byte> wanted() { return wanted_; }

  // Forgets who touched it.
  void forget() { cells_.assign(cells_.size(), {}); }

 private:
  friend struct region;
  struct cell_history {
    vector_clock written;
    vector_clock read;
  };

  std::byte* start_;
  std::vector<std::byte> wanted_;
  std::size_t cell_;
  reachable_by who_;
  std::vector<cell_history> cells_;
};

// A stretch of tracked memory. The accesses of one step are checked first, then noted.
struct region {
  tracked_memory* in = nullptr;
  std::size_t offset = 0;
  std::size_t bytes = 0;

  [[nodiscard]] std::byte* data() const { return in->at(offset); }
  [[nodiscard]] std::byte* wanted() const { return in->wanted().data() + offset; }

  // True when a step that comes after `before` reads, or may replace, what every earlier step
  // left here.
  [[nodiscard]] bool readable_after(const vector_clock& before) const;
  [[nodiscard]] bool writable_after(const vector_clock& before) const;

  void note_read(std::size_t stream, std::uint32_t tick) const;
  void note_written(std::size_t stream, std::uint32_t tick) const;
  void note_written_by_host() const;

  // True when the two share a cell.
  [[nodiscard]] bool conflicts_with(const region& other) const;

 private:
  [[nodiscard]] std::span<tracked_memory::cell_history> cells() const;
};

}  // namespace convoy::test
