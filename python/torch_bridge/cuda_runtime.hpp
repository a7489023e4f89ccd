// The functions of the CUDA runtime that the bridge calls, found in the process at start: the
// bridge is linked to no runtime, so that it uses the one torch uses.
#pragma once

#include <c10/core/Device.h>
#include <c10/core/Stream.h>

#include <string>

namespace convoy::torch_bridge {

// Looks the functions up. Returns a sentence when one is missing, else an empty string.
std::string find_cuda_runtime();

// The current stream of a CUDA device for this thread.
c10::Stream current_stream(c10::Device device);

using host_function = void (*)(void*);

// Queues function(argument) on the stream. Throws c10::Error with CUDA's text for a failure.
void launch_host_function(const c10::Stream& stream, host_function function, void* argument);

// Waits for the stream; throws as above.
void synchronize(const c10::Stream& stream);

// Waits for every device that has a context. Never throws.
void drain_devices() noexcept;

// The address at which host code can access device memory: another one with CONVOY_ISOLATE=1.
void* host_view(void* device_address);

}  // namespace convoy::torch_bridge
