// Types that driver and runtime have in common under two names.
//
// The calls both interfaces share take the runtime's; these views show a caller's memory as such.
// Both have the same bytes in the same places, which the assertions hold to.
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

static_assert(sizeof(CUdeviceptr) == sizeof(void*) && alignof(CUdeviceptr) == alignof(void*));
inline void** as_runtime(CUdeviceptr* from) noexcept { return reinterpret_cast<void**>(from); }

static_assert(sizeof(CUmemLocation) == sizeof(cudaMemLocation));
inline cudaMemLocation as_runtime(const CUmemLocation& from) noexcept {
  return {static_cast<cudaMemLocationType>(from.type), from.id};
}
inline const cudaMemLocation* as_runtime(const CUmemLocation* from) noexcept {
  return reinterpret_cast<const cudaMemLocation*>(from);
}

static_assert(sizeof(CUmemcpyAttributes) == sizeof(cudaMemcpyAttributes) &&
              offsetof(CUmemcpyAttributes, flags) == offsetof(cudaMemcpyAttributes, flags));
inline const cudaMemcpyAttributes* as_runtime(const CUmemcpyAttributes* from) noexcept {
  return reinterpret_cast<const cudaMemcpyAttributes*>(from);
}

static_assert(sizeof(CUDA_MEMCPY3D_BATCH_OP) == sizeof(cudaMemcpy3DBatchOp) &&
              offsetof(CUDA_MEMCPY3D_BATCH_OP, extent) == offsetof(cudaMemcpy3DBatchOp, extent) &&
              offsetof(CUDA_MEMCPY3D_BATCH_OP, flags) == offsetof(cudaMemcpy3DBatchOp, flags));
inline const cudaMemcpy3DBatchOp* as_runtime(const CUDA_MEMCPY3D_BATCH_OP* from) noexcept {
  return reinterpret_cast<const cudaMemcpy3DBatchOp*>(from);
}

static_assert(sizeof(CUmemPoolProps) == sizeof(cudaMemPoolProps) &&
              offsetof(CUmemPoolProps, usage) == offsetof(cudaMemPoolProps, usage));
inline const cudaMemPoolProps* as_runtime(const CUmemPoolProps* from) noexcept {
  return reinterpret_cast<const cudaMemPoolProps*>(from);
}

static_assert(sizeof(CUmemAccessDesc) == sizeof(cudaMemAccessDesc));
inline const cudaMemAccessDesc* as_runtime(const CUmemAccessDesc* from) noexcept {
  return reinterpret_cast<const cudaMemAccessDesc*>(from);
}
inline cudaMemAccessFlags* as_runtime(CUmemAccess_flags* from) noexcept {
  return reinterpret_cast<cudaMemAccessFlags*>(from);
}

static_assert(sizeof(CUipcMemHandle) == sizeof(cudaIpcMemHandle_t) &&
              sizeof(CUipcEventHandle) == sizeof(cudaIpcEventHandle_t));
inline cudaIpcMemHandle_t* as_runtime(CUipcMemHandle* from) noexcept {
  return reinterpret_cast<cudaIpcMemHandle_t*>(from);
}
inline cudaIpcEventHandle_t* as_runtime(CUipcEventHandle* from) noexcept {
  return reinterpret_cast<cudaIpcEventHandle_t*>(from);
}
inline const cudaIpcEventHandle_t* as_runtime(const CUipcEventHandle* from) noexcept {
  return reinterpret_cast<const cudaIpcEventHandle_t*>(from);
}

static_assert(sizeof(CUstreamAttrValue) == sizeof(cudaStreamAttrValue));
inline cudaStreamAttrValue* as_runtime(CUstreamAttrValue* from) noexcept {
  return reinterpret_cast<cudaStreamAttrValue*>(from);
}
inline const cudaStreamAttrValue* as_runtime(const CUstreamAttrValue* from) noexcept {
  return reinterpret_cast<const cudaStreamAttrValue*>(from);
}

}  // namespace convoy::cuda
