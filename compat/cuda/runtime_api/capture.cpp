// Questions about capture. Nothing is ever captured, so the answers are short.
#include <cuda_runtime_api.h>

#include <utility>

#include "calls/streams.hpp"
#include "runtime_api/runtime_call.hpp"
#include "state/thread.hpp"

using namespace convoy::cuda;

extern "C" {

CONVOY_EXPORT cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                                cudaStreamCaptureStatus* pCaptureStatus) {
  return runtime_call(__func__, [&]() -> call_status {
    if (pCaptureStatus == nullptr) return cudaErrorInvalidValue;
    int device = 0;
    const call_status there = device_of(stream, &device);
    if (there.ok()) *pCaptureStatus = cudaStreamCaptureStatusNone;
    return there;
  });
}

// The rest is told of streams that capture only.
CONVOY_EXPORT cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                                   cudaStreamCaptureStatus* captureStatus_out,
                                                   unsigned long long*, cudaGraph_t*,
                                                   const cudaGraphNode_t**,
                                                   const cudaGraphEdgeData**, size_t*) {
  return cudaStreamIsCapturing(stream, captureStatus_out);
}

CONVOY_EXPORT cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return runtime_call(__func__, [&]() -> call_status {
    const bool known = mode != nullptr && *mode >= cudaStreamCaptureModeGlobal &&
                       *mode <= cudaStreamCaptureModeRelaxed;
    if (!known) return cudaErrorInvalidValue;
    const int before = std::exchange(this_thread().capture_mode, static_cast<int>(*mode));
    *mode = static_cast<cudaStreamCaptureMode>(before);
    return cudaSuccess;
  });
}

}  // extern "C"
