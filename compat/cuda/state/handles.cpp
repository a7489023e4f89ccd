#include "state/handles.hpp"

#include <convoy/device.hpp>

#include "state/context.hpp"

namespace convoy::cuda {

result<stream_ref> default_stream(cudaStream_t stream, device_id device) {
  return is_per_thread(stream) ? convoy::device(device).thread_stream()
                               : convoy::device(device).default_stream();
}

result<stream_ref> default_stream(cudaStream_t stream) {
  const auto device = enter_device();
  if (!device) return device.error();
  return default_stream(stream, *device);
}

}  // namespace convoy::cuda
