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
inline void** twin(CUdeviceptr* of) noexcept { return reinterpret_cast<void**>(of); }

static_assert(sizeof(CUmemLocation) == sizeof(cudaMemLocation));
inline cudaMemLocation twin(const CUmemLocation& of) noexcept {
  return {static_cast<cudaMemLocationType>(of.type), of.id};
}
inline const cudaMemLocation* twin(const CUmemLocation* of) noexcept {
  return reinterpret_cast<const cudaMemLocation*>(of);
}

static_assert(sizeof(CUmemcpyAttributes) == sizeof(cudaMemcpyAttributes) &&
              offsetof(CUmemcpyAttributes, flags) == offsetof(cudaMemcpyAttributes, flags));
inline const cudaMemcpyAttributes* twin(const CUmemcpyAttributes* of) noexcept {
  return reinterpret_cast<const cudaMemcpyAttributes*>(of);
}

static_assert(sizeof(CUDA_MEMCPY3D_BATCH_OP) == sizeof(cudaMemcpy3DBatchOp) &&
              offsetof(CUDA_MEMCPY3D_BATCH_OP, extent) == offsetof(cudaMemcpy3DBatchOp, extent) &&
              offsetof(CUDA_MEMCPY3D_BATCH_OP, flags) == offsetof(cudaMemcpy3DBatchOp, flags));
inline const cudaMemcpy3DBatchOp* twin(const CUDA_MEMCPY3D_BATCH_OP* of) noexcept {
  return reinterpret_cast<const cudaMemcpy3DBatchOp*>(of);
}

static_assert(sizeof(CUmemPoolProps) == sizeof(cudaMemPoolProps) &&
              offsetof(CUmemPoolProps, usage) == offsetof(cudaMemPoolProps, usage));
inline const cudaMemPoolProps* twin(const CUmemPoolProps* of) noexcept {
  return reinterpret_cast<const cudaMemPoolProps*>(of);
}

static_assert(sizeof(CUmemAccessDesc) == sizeof(cudaMemAccessDesc));
inline const cudaMemAccessDesc* twin(const CUmemAccessDesc* of) noexcept {
  return reinterpret_cast<const cudaMemAccessDesc*>(of);
}
inline cudaMemAccessFlags* twin(CUmemAccess_flags* of) noexcept {
  return reinterpret_cast<cudaMemAccessFlags*>(of);
}

static_assert(sizeof(CUipcMemHandle) == sizeof(cudaIpcMemHandle_t) &&
              sizeof(CUipcEventHandle) == sizeof(cudaIpcEventHandle_t));
inline cudaIpcMemHandle_t* twin(CUipcMemHandle* of) noexcept {
  return reinterpret_cast<cudaIpcMemHandle_t*>(of);
}
inline cudaIpcEventHandle_t* twin(CUipcEventHandle* of) noexcept {
  return reinterpret_cast<cudaIpcEventHandle_t*>(of);
}
inline const cudaIpcEventHandle_t* twin(const CUipcEventHandle* of) noexcept {
  return reinterpret_cast<const cudaIpcEventHandle_t*>(of);
}

static_assert(sizeof(CUstreamAttrValue) == sizeof(cudaStreamAttrValue));
inline cudaStreamAttrValue* twin(CUstreamAttrValue* of) noexcept {
  return reinterpret_cast<cudaStreamAttrValue*>(of);
}
inline const cudaStreamAttrValue* twin(const CUstreamAttrValue* of) noexcept {
  return reinterpret_cast<const cudaStreamAttrValue*>(of);
}

}  // namespace convoy::cuda
