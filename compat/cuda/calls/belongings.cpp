#include "calls/belongings.hpp"

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

outcome destroy(const owned_handle& one) {
  switch (one.what) {
    case owned::stream: return destroy_stream(std::bit_cast<cudaStream_t>(one.handle));
    case owned::event: return destroy_event(std::bit_cast<cudaEvent_t>(one.handle));
  }
  return cudaSuccess;
}

// An access that was not enabled is off already.
void end_peer_access(device_id of) {
  const auto count = device_count();
  for (int i = 0; count && i != *count; ++i) {
    static_cast<void>(device(of).disable_access(device_id{i}));
    static_cast<void>(device(device_id{i}).disable_access(of));
  }
}

// The streams that outlive a reset begin anew.
void clear_default_streams(device_id of) {
  for (const auto& each : {device(of).default_stream(), device(of).thread_stream()}) {
    if (each) static_cast<void>(each->clear_error());
  }
}

void end_primary(device_id device) {
  give_up_belongings(*primary_of(device));
  forget_variables_on(device);
  reset_pools_of(device);
  end_peer_access(device);
  clear_default_streams(device);
}

}  // namespace

void give_up_belongings(context& owner) {
  // What a step did wrong is for whoever waits for its stream.
  static_cast<void>(device(owner.device).synchronize());
  // What another thread destroys meanwhile is gone, which is as good.
  for (const owned_handle& each : take_owned(owner)) static_cast<void>(destroy(each));
  for (const allocation& each : notes_of(owner)) static_cast<void>(end_allocation(each));
}

outcome reset_device(device_id device) {
  if (const outcome o = may_wait(); !o.ok()) return o;
  if (const auto count = device_count(); !count) return count;
  if (const outcome o = reset_primary(device); !o.ok()) return o;
  end_primary(device);
  return cudaSuccess;
}

outcome release_device(device_id device) {
  if (const outcome o = may_wait(); !o.ok()) return o;
  bool last = false;
  if (const outcome o = release_primary(device, &last); !o.ok()) return o;
  if (last) end_primary(device);
  return cudaSuccess;
}

}  // namespace convoy::cuda
