// The memset functions: elements of one, two and four bytes, in one row or several.
#include "calls/copy.hpp"
#include "driver_api/driver_call.hpp"
#include "driver_api/layout_casts.hpp"

using namespace convoy::cuda;
using convoy::device_id;

namespace {

// Rows of `count` elements.
struct memset_shape {
  std::size_t count;
  std::size_t height = 1;
  std::size_t pitch = 0;  // in bytes; ignored for a single row
};

template <class Element>
call_status memset_box(call_kind call, CUstream stream, CUdeviceptr start, Element value,
                       const memset_shape& shape) {
  constexpr std::size_t unit = sizeof(Element);
  std::size_t width = 0;
  if (__builtin_mul_overflow(shape.count, unit, &width)) return cudaErrorInvalidValue;
  const std::size_t pitch = shape.height <= 1 ? width : shape.pitch;
  const bool aligned = start % unit == 0 && pitch % unit == 0;
  if (!aligned || pitch < width) return cudaErrorInvalidValue;
  return fill_box(call, stream, {pointer(start), pitch, 0}, {width, shape.height}, {value, unit});
}

}  // namespace

// All forms for one size of element. The sync ones are exported twice, for the legacy and for the
// per-thread default stream; see cmake/ConvoyPerThreadForms.cmake.
#define CONVOY_MEMSET_FORMS(bits, element)                                                       \
  namespace convoy::cuda::on_default_stream {                                                    \
  CUresult cuMemsetD##bits##_v2(CUstream stream, CUdeviceptr dst, element value, size_t n) {     \
    return in_context(__func__, [&](device_id) {                                                 \
      return memset_box(call_kind::sync, stream, dst, value, {n});                               \
    });                                                                                          \
  }                                                                                              \
  CUresult cuMemsetD2D##bits##_v2(CUstream stream, CUdeviceptr dst, size_t pitch, element value, \
                                  size_t width, size_t height) {                                 \
    return in_context(__func__, [&](device_id) {                                                 \
      return memset_box(call_kind::sync, stream, dst, value, {width, height, pitch});            \
    });                                                                                          \
  }                                                                                              \
  }                                                                                              \
  extern "C" CONVOY_EXPORT CUresult cuMemsetD##bits##Async(CUdeviceptr dst, element value,       \
                                                           size_t n, CUstream stream) {          \
    return in_stream(__func__, stream,                                                           \
                     [&] { return memset_box(call_kind::async, stream, dst, value, {n}); });     \
  }                                                                                              \
  extern "C" CONVOY_EXPORT CUresult cuMemsetD2D##bits##Async(CUdeviceptr dst, size_t pitch,      \
                                                             element value, size_t width,        \
                                                             size_t height, CUstream stream) {   \
    return in_stream(__func__, stream, [&] {                                                     \
      return memset_box(call_kind::async, stream, dst, value, {width, height, pitch});           \
    });                                                                                          \
  }

CONVOY_MEMSET_FORMS(8, unsigned char)
CONVOY_MEMSET_FORMS(16, unsigned short)
CONVOY_MEMSET_FORMS(32, unsigned int)
