// Queries about stream capture, which is not supported: no stream is ever capturing.
#include "calls/streams.hpp"
#include "driver_api/driver_call.hpp"
#include "driver_api/layout_casts.hpp"
#include "driver_api/legacy_symbols.hpp"

using namespace convoy::cuda;

extern "C" {

CONVOY_EXPORT CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus* captureStatus) {
  return in_stream(__func__, hStream,
                   [&] { return capture_status(hStream, as_runtime(captureStatus)); });
}

CONVOY_EXPORT CUresult cuStreamGetCaptureInfo(CUstream hStream,
                                              CUstreamCaptureStatus* captureStatus_out,
                                              cuuint64_t*) {
  return in_stream(__func__, hStream,
                   [&] { return capture_status(hStream, as_runtime(captureStatus_out)); });
}

CONVOY_EXPORT CUresult cuStreamGetCaptureInfo_v2(CUstream hStream,
                                                 CUstreamCaptureStatus* captureStatus_out,
                                                 cuuint64_t*, CUgraph*, const CUgraphNode**,
                                                 size_t*) {
  return in_stream(__func__, hStream,
                   [&] { return capture_status(hStream, as_runtime(captureStatus_out)); });
}

CONVOY_EXPORT CUresult cuStreamGetCaptureInfo_v3(CUstream hStream,
                                                 CUstreamCaptureStatus* captureStatus_out,
                                                 cuuint64_t*, CUgraph*, const CUgraphNode**,
                                                 const CUgraphEdgeData**, size_t*) {
  return in_stream(__func__, hStream,
                   [&] { return capture_status(hStream, as_runtime(captureStatus_out)); });
}

CONVOY_EXPORT CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return driver_call(__func__, [&] { return exchange_capture_mode(as_runtime(mode)); });
}

}  // extern "C"
