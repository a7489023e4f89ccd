// Queries about stream capture, which is not supported: no stream is ever capturing.
#include <cuda_runtime_api.h>

#include "calls/streams.hpp"
#include "runtime_api/runtime_call.hpp"

using namespace convoy::cuda;

extern "C" {

CONVOY_EXPORT cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                                cudaStreamCaptureStatus* pCaptureStatus) {
  return runtime_call(__func__, [&] { return capture_status(stream, pCaptureStatus); });
}

// The other outputs are written for capturing streams only.
CONVOY_EXPORT cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                                   cudaStreamCaptureStatus* captureStatus_out,
                                                   unsigned long long*, cudaGraph_t*,
                                                   const cudaGraphNode_t**,
                                                   const cudaGraphEdgeData**, size_t*) {
  return cudaStreamIsCapturing(stream, captureStatus_out);
}

CONVOY_EXPORT cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return runtime_call(__func__, [&] { return exchange_capture_mode(mode); });
}

}  // extern "C"
