// Events.
#include <cuda_runtime_api.h>

#include "calls/streams.hpp"
#include "runtime_api/runtime_call.hpp"

using namespace convoy::cuda;
using convoy::device_id;

extern "C" {

CONVOY_EXPORT cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return on_current_device(
      __func__, [&](device_id device) { return make_event_on(device, cudaEventDefault, event); });
}

CONVOY_EXPORT cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return on_current_device(__func__,
                           [&](device_id device) { return make_event_on(device, flags, event); });
}

CONVOY_EXPORT cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return runtime_call(__func__, [&] { return destroy_event(event); });
}

CONVOY_EXPORT cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return runtime_call(__func__, [&] { return record(event, stream, cudaEventRecordDefault); });
}

CONVOY_EXPORT cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                                   unsigned int flags) {
  return runtime_call(__func__, [&] { return record(event, stream, flags); });
}

CONVOY_EXPORT cudaError_t cudaEventQuery(cudaEvent_t event) {
  return runtime_call(__func__, [&] { return query(event); });
}

CONVOY_EXPORT cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return runtime_call(__func__, [&] { return synchronize(event); });
}

CONVOY_EXPORT cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
  return runtime_call(__func__, [&] { return elapsed_time(start, end, ms); });
}

}  // extern "C"
