#include "support/tracked_memory.hpp"

#include <algorithm>

namespace convoy::test {

std::span<tracked_memory::cell_history> region::cells() const {
  if (bytes == 0) return {};
  const std::size_t first = offset / memory->cell_;
  const std::size_t last = (offset + bytes - 1) / memory->cell_;
  return std::span(memory->cells_).subspan(first, last - first + 1);
}

bool region::readable_after(const vector_clock& before) const {
  const auto touched = cells();
  return std::all_of(touched.begin(), touched.end(),
                     [&](const auto& cell) { return before.covers(cell.written); });
}

bool region::writable_after(const vector_clock& before) const {
  const auto touched = cells();
  return std::all_of(touched.begin(), touched.end(), [&](const auto& cell) {
    return before.covers(cell.written) && before.covers(cell.read);
  });
}

void region::record_read(std::size_t stream, std::uint32_t tick) const {
  for (auto& cell : cells()) cell.read[stream] = tick;
}

void region::record_written(std::size_t stream, std::uint32_t tick) const {
  for (auto& cell : cells()) {
    cell = {};
    cell.written[stream] = tick;
  }
}

void region::record_written_by_host() const {
  for (auto& cell : cells()) cell = {};
}

bool region::conflicts_with(const region& other) const {
  if (memory != other.memory || bytes == 0 || other.bytes == 0) return false;
  const auto own = cells();
  const auto theirs = other.cells();
  return own.data() < theirs.data() + theirs.size() && theirs.data() < own.data() + own.size();
}

}  // namespace convoy::test
