#include "cpu/reuse_history.hpp"

#include <algorithm>
#include <chrono>

namespace convoy::cpu {
namespace {

using namespace std::chrono_literals;

// After this time other programs have probably replaced the contents of the cache.
constexpr auto lifetime = 5ms;

// A reported L3 may be shared with other virtual machines.
constexpr std::size_t most_of_l3 = std::size_t{32} << 20;

}  // namespace

reuse_history::reuse_history(const os::processor& on)
    : max_bytes_(std::min(on.l3 / 4, most_of_l3)) {}

bool reuse_history::seen_recently(const footprint& area, os::clock::time_point now) {
  if (area.bytes > max_bytes_) return false;
  const lock held(mutex_);
  all_bytes_ += 2 * area.bytes;  // read and written
  auto found = std::find_if(visits_.begin(), visits_.end(),
                            [&](const visit& each) { return each.area == area; });
  const bool again = found != visits_.end() && all_bytes_ - found->bytes_then <= max_bytes_ &&
                     now - found->then < lifetime;
  if (found == visits_.end()) found = visits_.begin() + oldest_++ % visits_.size();
  *found = {area, all_bytes_, now};
  return again;
}

}  // namespace convoy::cpu
