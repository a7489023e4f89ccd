#include "allocation_timeline.hpp"

#include <iterator>

namespace convoy::tools {

std::optional<std::size_t> allocation_timeline::find(std::uint64_t address, trace::timestamp when) {
  while (added_ != by_time_.size() && by_time_[added_].allocated <= when) add_next();
  const auto after = pieces_.upper_bound(address);
  if (after == pieces_.begin()) return {};
  const piece& found = std::prev(after)->second;
  if (address >= found.end) return {};
  return found.allocation;
}

void allocation_timeline::add_next() {
  const trace::traced_memory& next = by_time_[added_];
  if (next.bytes != 0) {
    remove_overlapped(next.address, next.address + next.bytes);
    pieces_[next.address] = {next.address + next.bytes, added_};
  }
  ++added_;
}

// A later allocation hides the parts of earlier ones that it overlaps.
void allocation_timeline::remove_overlapped(std::uint64_t start, std::uint64_t end) {
  auto at = pieces_.lower_bound(start);
  if (at != pieces_.begin() && std::prev(at)->second.end > start) {
    piece& before = std::prev(at)->second;
    if (before.end > end) at = pieces_.emplace_hint(at, end, before);
    before.end = start;
  }
  while (at != pieces_.end() && at->first < end) {
    if (at->second.end > end) pieces_.emplace(end, at->second);
    at = pieces_.erase(at);
  }
}

}  // namespace convoy::tools
