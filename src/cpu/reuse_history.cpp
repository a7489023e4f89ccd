#include "cpu/reuse_history.hpp"

#include <algorithm>
#include <chrono>

namespace convoy::cpu {
namespace {

using namespace std::chrono_literals;

// After this time other programs have probably replaced the contents of the cache.
constexpr auto lifetime = 5ms;

// A reported L3 may be shared with other virtual machines.
constexpr std::size_t max_l3_share = std::size_t{32} << 20;

}  // namespace

reuse_history::reuse_history(const os::processor& cpu)
    : max_bytes_(std::min(cpu.l3 / 4, max_l3_share)) {}

bool reuse_history::seen_recently(const footprint& area, os::clock::time_point now) {
  if (area.bytes > max_bytes_) return false;
  const lock held(mutex_);
  total_bytes_ += 2 * area.bytes;  // read and written
  auto found = std::find_if(batches_.begin(), batches_.end(),
                            [&](const batch_record& each) { return each.area == area; });
  const bool again = found != batches_.end() && total_bytes_ - found->total_bytes <= max_bytes_ &&
                     now - found->time < lifetime;
  if (found == batches_.end()) found = batches_.begin() + oldest_++ % batches_.size();
  *found = {area, total_bytes_, now};
  return again;
}

}  // namespace convoy::cpu
