#include "stream/ipc_event.hpp"

#include <algorithm>

#include "os/process.hpp"

namespace convoy {
namespace {

// How often a waiter checks that the recording process is alive.
constexpr auto liveness_interval = std::chrono::milliseconds(100);

}  // namespace

std::uint64_t ipc_event::begin(std::int32_t process) noexcept {
  recorder.store(process, std::memory_order_relaxed);
  return recorded.fetch_add(1, std::memory_order_release) + 1;  // read by latest()
}

void ipc_event::finish(std::uint64_t recording) noexcept {
  std::uint64_t before = landed.load(std::memory_order_relaxed);
  while (before < recording &&
         !landed.compare_exchange_weak(before, recording, std::memory_order_release)) {
  }                                               // read by has_landed()
  epoch.fetch_add(1, std::memory_order_release);  // read by wait()
  os::wake_all_shared(epoch);
}

status ipc_event::wait(std::uint64_t recording, os::deadline until) noexcept {
  for (;;) {
    const std::uint32_t seen = epoch.load(std::memory_order_acquire);  // raised by finish()
    if (has_landed(recording)) return {};
    const auto now = os::clock::now();
    if (until && now >= *until) return {errc::timed_out};
    if (!os::is_alive(recorder.load(std::memory_order_relaxed))) return {errc::device_failure};
    os::sleep_while_shared(
        epoch, seen, std::min(until.value_or(now + liveness_interval), now + liveness_interval));
  }
}

}  // namespace convoy
