// Casts from types of the driver to the types of the runtime with the same layout.
//
// The calls that both interfaces share take the runtime's types. as_runtime() converts values and
// reinterprets pointers; the assertions check size, alignment and the offsets of members.
#pragma once

#include <cuda.h>

#include <bit>
#include <cstddef>

#include "types/device.h"
#include "types/memory.h"
#include "types/stream.h"

namespace convoy::cuda {

inline void* pointer(CUdeviceptr address) noexcept { return std::bit_cast<void*>(address); }
inline CUdeviceptr address(const void* pointer) noexcept {
  return std::bit_cast<CUdeviceptr>(pointer);
}

template <class Driver>
struct runtime_layout;

#define CONVOY_SAME_LAYOUT(driver, runtime)           \
  static_assert(sizeof(driver) == sizeof(runtime));   \
  static_assert(alignof(driver) == alignof(runtime)); \
  template <>                                         \
  struct runtime_layout<driver> {                     \
    using type = runtime;                             \
  }

CONVOY_SAME_LAYOUT(CUdeviceptr, void*);
CONVOY_SAME_LAYOUT(CUipcEventHandle, cudaIpcEventHandle_t);
CONVOY_SAME_LAYOUT(CUipcMemHandle, cudaIpcMemHandle_t);
CONVOY_SAME_LAYOUT(CUlogsCallback, cudaLogsCallback_t);
CONVOY_SAME_LAYOUT(CUmemAccessDesc, cudaMemAccessDesc);
CONVOY_SAME_LAYOUT(CUmemAccess_flags, cudaMemAccessFlags);
CONVOY_SAME_LAYOUT(CUmemAllocationType, cudaMemAllocationType);
CONVOY_SAME_LAYOUT(CUmemLocation, cudaMemLocation);
CONVOY_SAME_LAYOUT(CUmemPoolProps, cudaMemPoolProps);
CONVOY_SAME_LAYOUT(CUmemPool_attribute, cudaMemPoolAttr);
CONVOY_SAME_LAYOUT(CUmem_advise, cudaMemoryAdvise);
CONVOY_SAME_LAYOUT(CUmem_range_attribute, cudaMemRangeAttribute);
CONVOY_SAME_LAYOUT(CUmemcpyAttributes, cudaMemcpyAttributes);
CONVOY_SAME_LAYOUT(CUDA_MEMCPY3D_BATCH_OP, cudaMemcpy3DBatchOp);
CONVOY_SAME_LAYOUT(CUstreamAttrID, cudaStreamAttrID);
CONVOY_SAME_LAYOUT(CUstreamAttrValue, cudaStreamAttrValue);
CONVOY_SAME_LAYOUT(CUstreamCallback, cudaStreamCallback_t);
CONVOY_SAME_LAYOUT(CUstreamCaptureMode, cudaStreamCaptureMode);
CONVOY_SAME_LAYOUT(CUstreamCaptureStatus, cudaStreamCaptureStatus);

static_assert(offsetof(CUmemcpyAttributes, flags) == offsetof(cudaMemcpyAttributes, flags));
static_assert(offsetof(CUDA_MEMCPY3D_BATCH_OP, extent) == offsetof(cudaMemcpy3DBatchOp, extent));
static_assert(offsetof(CUDA_MEMCPY3D_BATCH_OP, flags) == offsetof(cudaMemcpy3DBatchOp, flags));
static_assert(offsetof(CUmemPoolProps, usage) == offsetof(cudaMemPoolProps, usage));

template <class Driver>
typename runtime_layout<Driver>::type as_runtime(const Driver& value) noexcept {
  return std::bit_cast<typename runtime_layout<Driver>::type>(value);
}
template <class Driver>
typename runtime_layout<Driver>::type* as_runtime(Driver* value) noexcept {
  return reinterpret_cast<typename runtime_layout<Driver>::type*>(value);
}
template <class Driver>
const typename runtime_layout<Driver>::type* as_runtime(const Driver* value) noexcept {
  return reinterpret_cast<const typename runtime_layout<Driver>::type*>(value);
}

}  // namespace convoy::cuda
