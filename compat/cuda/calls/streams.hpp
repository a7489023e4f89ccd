// Streams and events, for both interfaces.
//
// Calls that wait are refused with cudaErrorNotPermitted in a host function.
#pragma once

#include <convoy/ids.hpp>

#include "state/handles.hpp"
#include "state/outcome.hpp"
#include "types/stream.h"

namespace convoy::cuda {

// Flags are 0 or non-blocking; a priority outside the range is clamped.
outcome make_stream_on(device_id device, unsigned flags, int priority, cudaStream_t* made);

// Default streams are not to be destroyed.
outcome destroy_stream(cudaStream_t stream);

outcome wait_for(cudaStream_t stream);
outcome wait_for(device_id device);
outcome query(cudaStream_t stream);

inline constexpr int least_priority = 0;
inline constexpr int greatest_priority = -5;

outcome flags_of(cudaStream_t stream, unsigned* flags);
outcome priority_of(cudaStream_t stream, int* priority);
outcome device_of(cudaStream_t stream, int* device);

// A number that no other stream of the process has or had.
outcome id_of(cudaStream_t stream, unsigned long long* id);

// Attributes are kept and told; only the priority means anything, and it cannot be set to another.
outcome set_attribute(cudaStream_t stream, cudaStreamAttrID which,
                      const cudaStreamAttrValue* value);
outcome get_attribute(cudaStream_t stream, cudaStreamAttrID which, cudaStreamAttrValue* value);
outcome copy_attributes(cudaStream_t to, cudaStream_t from);

// Runs the function in stream order. It must not wait for CUDA.
outcome call_host(cudaStream_t stream, cudaHostFn_t function, void* argument);

// The same with the outcome of the stream so far. `named` is the handle it is told.
outcome call_back(cudaStream_t stream, cudaStreamCallback_t function, void* argument,
                  unsigned flags);

// Flags are those of events; one for other processes keeps no time.
outcome make_event_on(device_id device, unsigned flags, cudaEvent_t* made);
outcome destroy_event(cudaEvent_t event);
outcome record(cudaEvent_t event, cudaStream_t stream, unsigned flags);
outcome wait_in(cudaStream_t stream, cudaEvent_t event, unsigned flags);
outcome wait_for(cudaEvent_t event);
outcome query(cudaEvent_t event);
outcome milliseconds_between(cudaEvent_t start, cudaEvent_t end, float* milliseconds);

}  // namespace convoy::cuda
