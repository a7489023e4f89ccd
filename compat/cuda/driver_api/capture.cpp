// Questions about capture. Nothing is ever captured, so the answers are short.
#include <utility>

#include "calls/streams.hpp"
#include "driver_api/driver_call.hpp"
#include "driver_api/legacy_symbols.hpp"
#include "state/thread.hpp"

using namespace convoy::cuda;

namespace {

call_status capture_status(CUstream stream, CUstreamCaptureStatus* status) {
  if (status == nullptr) return cudaErrorInvalidValue;
  int device = 0;
  if (const call_status s = device_of(stream, &device); !s.ok()) return s;
  *status = CU_STREAM_CAPTURE_STATUS_NONE;
  return cudaSuccess;
}

}  // namespace

extern "C" {

CONVOY_EXPORT CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus* captureStatus) {
  return in_stream(__func__, hStream, [&] { return capture_status(hStream, captureStatus); });
}

CONVOY_EXPORT CUresult cuStreamGetCaptureInfo(CUstream hStream,
                                              CUstreamCaptureStatus* captureStatus_out,
                                              cuuint64_t*) {
  return in_stream(__func__, hStream, [&] { return capture_status(hStream, captureStatus_out); });
}

CONVOY_EXPORT CUresult cuStreamGetCaptureInfo_v2(CUstream hStream,
                                                 CUstreamCaptureStatus* captureStatus_out,
                                                 cuuint64_t*, CUgraph*, const CUgraphNode**,
                                                 size_t*) {
  return in_stream(__func__, hStream, [&] { return capture_status(hStream, captureStatus_out); });
}

CONVOY_EXPORT CUresult cuStreamGetCaptureInfo_v3(CUstream hStream,
                                                 CUstreamCaptureStatus* captureStatus_out,
                                                 cuuint64_t*, CUgraph*, const CUgraphNode**,
                                                 const CUgraphEdgeData**, size_t*) {
  return in_stream(__func__, hStream, [&] { return capture_status(hStream, captureStatus_out); });
}

CONVOY_EXPORT CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return driver_call(__func__, [&]() -> call_status {
    const bool known = mode != nullptr && *mode >= CU_STREAM_CAPTURE_MODE_GLOBAL &&
                       *mode <= CU_STREAM_CAPTURE_MODE_RELAXED;
    if (!known) return cudaErrorInvalidValue;
    const int before = std::exchange(this_thread().capture_mode, static_cast<int>(*mode));
    *mode = static_cast<CUstreamCaptureMode>(before);
    return cudaSuccess;
  });
}

}  // extern "C"
