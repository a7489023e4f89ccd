// Streams and events, for both interfaces.
//
// Calls that wait return cudaErrorNotPermitted in a host function.
#pragma once

#include <convoy/ids.hpp>

#include "state/call_status.hpp"
#include "state/handles.hpp"
#include "types/stream.h"

namespace convoy::cuda {

// `flags` is 0 or cudaStreamNonBlocking. A priority out of range is clamped.
call_status make_stream_on(device_id device, unsigned flags, int priority, cudaStream_t* out);

// Default streams cannot be destroyed.
call_status destroy_stream(cudaStream_t stream);

// The legacy default stream stands for the blocking streams of its device as well, per-thread
// default streams included.
call_status synchronize(cudaStream_t stream);
call_status synchronize(device_id device);
call_status query(cudaStream_t stream);

inline constexpr int least_priority = 0;
inline constexpr int greatest_priority = -5;

call_status flags_of(cudaStream_t stream, unsigned* flags);
call_status priority_of(cudaStream_t stream, int* priority);
call_status device_of(cudaStream_t stream, int* device);

// The id is unique in the process and never reused.
call_status id_of(cudaStream_t stream, unsigned long long* id);

// Attributes are stored and returned. Only the priority has an effect, and it cannot be changed.
call_status set_attribute(cudaStream_t stream, cudaStreamAttrID attribute,
                          const cudaStreamAttrValue* value);
call_status get_attribute(cudaStream_t stream, cudaStreamAttrID attribute,
                          cudaStreamAttrValue* value);
call_status copy_attributes(cudaStream_t to, cudaStream_t from);

// Writes cudaStreamCaptureStatusNone for every valid stream: capture is not supported.
call_status capture_status(cudaStream_t stream, cudaStreamCaptureStatus* status);

// Swaps `*mode` with the capture mode of the thread.
call_status exchange_capture_mode(cudaStreamCaptureMode* mode);

// Runs a host function in stream order. The function must not wait for CUDA work.
call_status launch_host_function(cudaStream_t stream, cudaHostFn_t function, void* argument);

// The same; the callback also gets the stream's handle and its status so far.
call_status add_callback(cudaStream_t stream, cudaStreamCallback_t function, void* argument,
                         unsigned flags);

// `flags` are CUDA's. An interprocess event must disable timing.
call_status make_event_on(device_id device, unsigned flags, cudaEvent_t* out);
call_status destroy_event(cudaEvent_t event);
call_status record(cudaEvent_t event, cudaStream_t stream, unsigned flags);
call_status wait_event(cudaStream_t stream, cudaEvent_t event, unsigned flags);
call_status synchronize(cudaEvent_t event);
call_status query(cudaEvent_t event);
call_status elapsed_time(cudaEvent_t start, cudaEvent_t end, float* milliseconds);

}  // namespace convoy::cuda
