#include "cpu/reuse_history.hpp"

#include <algorithm>
#include <chrono>

namespace convoy::cpu {
namespace {

using namespace std::chrono_literals;

// What else runs on the machine has replaced the cache by then.
constexpr auto lifetime = 5ms;

// A claimed L3 may be shared with strangers.
constexpr std::size_t most_of_l3 = std::size_t{32} << 20;

}  // namespace

recent_batches::recent_batches(const os::processor& on) : reach_(std::min(on.l3 / 4, most_of_l3)) {}

bool recent_batches::come_back(const footprint& place, os::clock::time_point now) {
  if (place.bytes > reach_) return false;
  const lock held(mutex_);
  all_bytes_ += 2 * place.bytes;  // read and written
  auto found = std::find_if(visits_.begin(), visits_.end(),
                            [&](const visit& each) { return each.place == place; });
  const bool again = found != visits_.end() && all_bytes_ - found->bytes_then <= reach_ &&
                     now - found->then < lifetime;
  if (found == visits_.end()) found = visits_.begin() + oldest_++ % visits_.size();
  *found = {place, all_bytes_, now};
  return again;
}

}  // namespace convoy::cpu
