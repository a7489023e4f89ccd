// Fills with numbers of one, two and four bytes.
#include "calls/copy.hpp"
#include "driver_api/driver_call.hpp"
#include "driver_api/layout_casts.hpp"

using namespace convoy::cuda;
using convoy::device_id;

namespace {

// Rows of `count` numbers.
struct rows {
  std::size_t count;
  std::size_t height = 1;
  std::size_t pitch = 0;  // in bytes; means nothing for a single row
};

call_status memset_rows(call_kind call, CUstream stream, CUdeviceptr start,
                        convoy::fill_pattern pattern, const rows& shape) {
  std::size_t width = 0;
  if (__builtin_mul_overflow(shape.count, pattern.unit, &width)) return cudaErrorInvalidValue;
  const std::size_t pitch = shape.height <= 1 ? width : shape.pitch;
  const bool aligned = start % pattern.unit == 0 && pitch % pattern.unit == 0;
  if (!aligned || pitch < width) return cudaErrorInvalidValue;
  return fill_box(call, stream, {pointer(start), pitch, 0}, {width, shape.height}, pattern);
}

}  // namespace

extern "C" {

CONVOY_EXPORT CUresult cuMemsetD8_v2(CUdeviceptr dstDevice, unsigned char uc, size_t N) {
  return in_context(__func__, [&](device_id) {
    return memset_rows(call_kind::sync, CU_STREAM_LEGACY, dstDevice, {uc, 1}, {N});
  });
}

CONVOY_EXPORT CUresult cuMemsetD8_v2_ptds(CUdeviceptr dstDevice, unsigned char uc, size_t N) {
  return in_context(__func__, [&](device_id) {
    return memset_rows(call_kind::sync, CU_STREAM_PER_THREAD, dstDevice, {uc, 1}, {N});
  });
}

CONVOY_EXPORT CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N,
                                       CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return memset_rows(call_kind::async, hStream, dstDevice, {uc, 1}, {N});
  });
}

CONVOY_EXPORT CUresult cuMemsetD8Async_ptsz(CUdeviceptr dstDevice, unsigned char uc, size_t N,
                                            CUstream hStream) {
  return cuMemsetD8Async(dstDevice, uc, N, per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemsetD2D8_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc,
                                       size_t Width, size_t Height) {
  return in_context(__func__, [&](device_id) {
    return memset_rows(call_kind::sync, CU_STREAM_LEGACY, dstDevice, {uc, 1},
                       {Width, Height, dstPitch});
  });
}

CONVOY_EXPORT CUresult cuMemsetD2D8_v2_ptds(CUdeviceptr dstDevice, size_t dstPitch,
                                            unsigned char uc, size_t Width, size_t Height) {
  return in_context(__func__, [&](device_id) {
    return memset_rows(call_kind::sync, CU_STREAM_PER_THREAD, dstDevice, {uc, 1},
                       {Width, Height, dstPitch});
  });
}

CONVOY_EXPORT CUresult cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc,
                                         size_t Width, size_t Height, CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return memset_rows(call_kind::async, hStream, dstDevice, {uc, 1}, {Width, Height, dstPitch});
  });
}

CONVOY_EXPORT CUresult cuMemsetD2D8Async_ptsz(CUdeviceptr dstDevice, size_t dstPitch,
                                              unsigned char uc, size_t Width, size_t Height,
                                              CUstream hStream) {
  return cuMemsetD2D8Async(dstDevice, dstPitch, uc, Width, Height, per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemsetD16_v2(CUdeviceptr dstDevice, unsigned short us, size_t N) {
  return in_context(__func__, [&](device_id) {
    return memset_rows(call_kind::sync, CU_STREAM_LEGACY, dstDevice, {us, 2}, {N});
  });
}

CONVOY_EXPORT CUresult cuMemsetD16_v2_ptds(CUdeviceptr dstDevice, unsigned short us, size_t N) {
  return in_context(__func__, [&](device_id) {
    return memset_rows(call_kind::sync, CU_STREAM_PER_THREAD, dstDevice, {us, 2}, {N});
  });
}

CONVOY_EXPORT CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N,
                                        CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return memset_rows(call_kind::async, hStream, dstDevice, {us, 2}, {N});
  });
}

CONVOY_EXPORT CUresult cuMemsetD16Async_ptsz(CUdeviceptr dstDevice, unsigned short us, size_t N,
                                             CUstream hStream) {
  return cuMemsetD16Async(dstDevice, us, N, per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemsetD2D16_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us,
                                        size_t Width, size_t Height) {
  return in_context(__func__, [&](device_id) {
    return memset_rows(call_kind::sync, CU_STREAM_LEGACY, dstDevice, {us, 2},
                       {Width, Height, dstPitch});
  });
}

CONVOY_EXPORT CUresult cuMemsetD2D16_v2_ptds(CUdeviceptr dstDevice, size_t dstPitch,
                                             unsigned short us, size_t Width, size_t Height) {
  return in_context(__func__, [&](device_id) {
    return memset_rows(call_kind::sync, CU_STREAM_PER_THREAD, dstDevice, {us, 2},
                       {Width, Height, dstPitch});
  });
}

CONVOY_EXPORT CUresult cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us,
                                          size_t Width, size_t Height, CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return memset_rows(call_kind::async, hStream, dstDevice, {us, 2}, {Width, Height, dstPitch});
  });
}

CONVOY_EXPORT CUresult cuMemsetD2D16Async_ptsz(CUdeviceptr dstDevice, size_t dstPitch,
                                               unsigned short us, size_t Width, size_t Height,
                                               CUstream hStream) {
  return cuMemsetD2D16Async(dstDevice, dstPitch, us, Width, Height, per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemsetD32_v2(CUdeviceptr dstDevice, unsigned int ui, size_t N) {
  return in_context(__func__, [&](device_id) {
    return memset_rows(call_kind::sync, CU_STREAM_LEGACY, dstDevice, {ui, 4}, {N});
  });
}

CONVOY_EXPORT CUresult cuMemsetD32_v2_ptds(CUdeviceptr dstDevice, unsigned int ui, size_t N) {
  return in_context(__func__, [&](device_id) {
    return memset_rows(call_kind::sync, CU_STREAM_PER_THREAD, dstDevice, {ui, 4}, {N});
  });
}

CONVOY_EXPORT CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N,
                                        CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return memset_rows(call_kind::async, hStream, dstDevice, {ui, 4}, {N});
  });
}

CONVOY_EXPORT CUresult cuMemsetD32Async_ptsz(CUdeviceptr dstDevice, unsigned int ui, size_t N,
                                             CUstream hStream) {
  return cuMemsetD32Async(dstDevice, ui, N, per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemsetD2D32_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui,
                                        size_t Width, size_t Height) {
  return in_context(__func__, [&](device_id) {
    return memset_rows(call_kind::sync, CU_STREAM_LEGACY, dstDevice, {ui, 4},
                       {Width, Height, dstPitch});
  });
}

CONVOY_EXPORT CUresult cuMemsetD2D32_v2_ptds(CUdeviceptr dstDevice, size_t dstPitch,
                                             unsigned int ui, size_t Width, size_t Height) {
  return in_context(__func__, [&](device_id) {
    return memset_rows(call_kind::sync, CU_STREAM_PER_THREAD, dstDevice, {ui, 4},
                       {Width, Height, dstPitch});
  });
}

CONVOY_EXPORT CUresult cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui,
                                          size_t Width, size_t Height, CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return memset_rows(call_kind::async, hStream, dstDevice, {ui, 4}, {Width, Height, dstPitch});
  });
}

CONVOY_EXPORT CUresult cuMemsetD2D32Async_ptsz(CUdeviceptr dstDevice, size_t dstPitch,
                                               unsigned int ui, size_t Width, size_t Height,
                                               CUstream hStream) {
  return cuMemsetD2D32Async(dstDevice, dstPitch, ui, Width, Height, per_thread(hStream));
}

}  // extern "C"
