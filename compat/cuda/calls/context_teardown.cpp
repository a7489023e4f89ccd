#include "calls/context_teardown.hpp"

#include <bit>
#include <convoy/device.hpp>

#include "calls/memory.hpp"
#include "calls/pools.hpp"
#include "calls/streams.hpp"
#include "calls/variables.hpp"
#include "state/owners.hpp"
#include "state/thread.hpp"

namespace convoy::cuda {
namespace {

call_status destroy(const owned_handle& one) {
  switch (one.kind) {
    case handle_kind::stream: return destroy_stream(std::bit_cast<cudaStream_t>(one.handle));
    case handle_kind::event: return destroy_event(std::bit_cast<cudaEvent_t>(one.handle));
  }
  return cudaSuccess;
}

void end_access(device_id from, device_id to) {
  const auto enabled = convoy::device(from).has_access(to);
  if (enabled && *enabled) static_cast<void>(convoy::device(from).disable_access(to));
}

void end_peer_access(device_id device) {
  const auto count = device_count();
  for (int i = 0; count && i != *count; ++i) {
    end_access(device, device_id{i});
    end_access(device_id{i}, device);
  }
}

// Default streams outlive a reset; their sticky errors do not.
void clear_default_streams(device_id device) {
  const convoy::device owner(device);
  for (const auto& each : {owner.default_stream(), owner.thread_stream()}) {
    if (each) static_cast<void>(each->clear_error());
  }
}

void end_primary(device_id device) {
  destroy_contents(*primary_of(device));
  remove_variables_on(device);
  reset_pools_of(device);
  end_peer_access(device);
  clear_default_streams(device);
}

}  // namespace

void destroy_contents(context& owner) {
  // Errors of earlier steps are reported by the streams, not here.
  static_cast<void>(device(owner.device).synchronize());
  // Errors are ignored: another thread may have destroyed the handle meanwhile.
  for (const owned_handle& each : take_owned(owner)) static_cast<void>(destroy(each));
  for (const allocation& each : allocations().owned_by(owner))
    static_cast<void>(destroy_allocation(each));
}

call_status reset_device(device_id device) {
  if (const call_status s = check_may_wait(); !s.ok()) return s;
  if (const auto count = device_count(); !count) return count;
  if (const call_status s = reset_primary(device); !s.ok()) return s;
  end_primary(device);
  return cudaSuccess;
}

call_status release_device(device_id device) {
  if (const call_status s = check_may_wait(); !s.ok()) return s;
  bool last = false;
  if (const call_status s = release_primary(device, &last); !s.ok()) return s;
  if (last) end_primary(device);
  return cudaSuccess;
}

}  // namespace convoy::cuda
