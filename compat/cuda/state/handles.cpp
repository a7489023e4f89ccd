#include "state/handles.hpp"

#include <convoy/device.hpp>

#include "state/context.hpp"

namespace convoy::cuda {

result<stream_ref> default_stream(cudaStream_t stream, device_id on) {
  return is_per_thread(stream) ? device(on).thread_stream() : device(on).default_stream();
}

result<stream_ref> default_stream(cudaStream_t stream) {
  const auto on = enter_device();
  if (!on) return on.error();
  return default_stream(stream, *on);
}

}  // namespace convoy::cuda
