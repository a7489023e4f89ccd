// Streams, host functions and callbacks.
#include "calls/streams.hpp"

#include "calls/managed.hpp"
#include "driver_api/driver_call.hpp"
#include "driver_api/layout_casts.hpp"
#include "state/owners.hpp"

using namespace convoy::cuda;
using convoy::device_id;

namespace {

// Returns the context that owns a stream; for default streams the current context.
call_status context_of(CUstream stream, CUcontext* into) {
  if (into == nullptr) return cudaErrorInvalidValue;
  int device = 0;
  if (const call_status s = device_of(stream, &device); !s.ok()) return s;
  context* owner = is_default(stream) ? current_context() : owner_of(number(stream));
  if (owner == nullptr) owner = primary_at(device);
  *into = reinterpret_cast<CUcontext>(owner);
  return cudaSuccess;
}

}  // namespace

extern "C" {

CONVOY_EXPORT CUresult cuStreamCreate(CUstream* phStream, unsigned int Flags) {
  return in_context(__func__,
                    [&](device_id current) { return make_stream_on(current, Flags, 0, phStream); });
}

CONVOY_EXPORT CUresult cuStreamCreateWithPriority(CUstream* phStream, unsigned int flags,
                                                  int priority) {
  return in_context(__func__, [&](device_id current) {
    return make_stream_on(current, flags, priority, phStream);
  });
}

CONVOY_EXPORT CUresult cuStreamDestroy_v2(CUstream hStream) {
  return driver_call(__func__, [&] { return destroy_stream(hStream); });
}

CONVOY_EXPORT CUresult cuStreamGetPriority(CUstream hStream, int* priority) {
  return in_stream(__func__, hStream, [&] { return priority_of(hStream, priority); });
}

CONVOY_EXPORT CUresult cuStreamGetFlags(CUstream hStream, unsigned int* flags) {
  return in_stream(__func__, hStream, [&] { return flags_of(hStream, flags); });
}

CONVOY_EXPORT CUresult cuStreamGetId(CUstream hStream, unsigned long long* streamId) {
  return in_stream(__func__, hStream, [&] { return id_of(hStream, streamId); });
}

CONVOY_EXPORT CUresult cuStreamGetDevice(CUstream hStream, CUdevice* device) {
  return in_stream(__func__, hStream, [&] { return device_of(hStream, device); });
}

CONVOY_EXPORT CUresult cuStreamGetCtx(CUstream hStream, CUcontext* pctx) {
  return in_stream(__func__, hStream, [&] { return context_of(hStream, pctx); });
}

CONVOY_EXPORT CUresult cuStreamGetCtx_v2(CUstream hStream, CUcontext* pCtx, CUgreenCtx* pGreenCtx) {
  return in_stream(__func__, hStream, [&]() -> call_status {
    const call_status s = context_of(hStream, pCtx);
    if (s.ok() && pGreenCtx != nullptr) *pGreenCtx = nullptr;
    return s;
  });
}

CONVOY_EXPORT CUresult cuStreamCopyAttributes(CUstream dst, CUstream src) {
  // A context is required if either stream is a default stream.
  const CUstream either = is_default(src) ? src : dst;
  return in_stream(__func__, either, [&] { return copy_attributes(dst, src); });
}

CONVOY_EXPORT CUresult cuStreamGetAttribute(CUstream hStream, CUstreamAttrID attr,
                                            CUstreamAttrValue* value_out) {
  return in_stream(__func__, hStream,
                   [&] { return get_attribute(hStream, as_runtime(attr), as_runtime(value_out)); });
}

CONVOY_EXPORT CUresult cuStreamSetAttribute(CUstream hStream, CUstreamAttrID attr,
                                            const CUstreamAttrValue* value) {
  return in_stream(__func__, hStream,
                   [&] { return set_attribute(hStream, as_runtime(attr), as_runtime(value)); });
}

CONVOY_EXPORT CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags) {
  return in_stream(__func__, hStream, [&] { return wait_event(hStream, hEvent, Flags); });
}

CONVOY_EXPORT CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback,
                                           void* userData, unsigned int flags) {
  return in_stream(__func__, hStream,
                   [&] { return add_callback(hStream, as_runtime(callback), userData, flags); });
}

CONVOY_EXPORT CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void* userData) {
  return in_stream(__func__, hStream, [&] { return launch_host_function(hStream, fn, userData); });
}

CONVOY_EXPORT CUresult cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, size_t length,
                                              unsigned int flags) {
  return in_stream(__func__, hStream,
                   [&] { return attach(hStream, pointer(dptr), length, flags); });
}

CONVOY_EXPORT CUresult cuStreamQuery(CUstream hStream) {
  return in_stream(__func__, hStream, [&] { return query(hStream); });
}

CONVOY_EXPORT CUresult cuStreamSynchronize(CUstream hStream) {
  return in_stream(__func__, hStream, [&] { return synchronize(hStream); });
}

}  // extern "C"
