// Device and host memory.
#include "calls/memory.hpp"

#include <convoy/memory.hpp>

#include "driver_api/driver_call.hpp"
#include "driver_api/layout_casts.hpp"

using namespace convoy::cuda;
using convoy::device_id;

namespace {

constexpr unsigned element_sizes = 4 | 8 | 16;

call_status allocate_bytes(device_id current, std::size_t bytes, CUdeviceptr* out) {
  if (bytes == 0) return cudaErrorInvalidValue;
  return allocate_device_memory(current, bytes, as_runtime(out));
}

call_status allocate_pitched(device_id current, CUdeviceptr* out, std::size_t* pitch,
                             const convoy::box& extent, unsigned element) {
  const bool one_size = (element & (element - 1)) == 0 && (element & element_sizes) != 0;
  if (extent.width == 0 || extent.height == 0 || !one_size) return cudaErrorInvalidValue;
  return allocate_pitched_memory(current, extent.width, extent.height, as_runtime(out), pitch);
}

call_status allocate_host_here(device_id current, std::size_t bytes, unsigned flags, void** out) {
  if (bytes == 0) return cudaErrorInvalidValue;
  return allocate_host_memory(current, bytes, flags, out);
}

// Virtual memory is not supported, but the question has an answer: that of common GPUs.
constexpr std::size_t allocation_granularity = 2 << 20;

call_status granularity_of(const CUmemAllocationProp* prop, int option, std::size_t* into) {
  const bool known_option =
      option == CU_MEM_ALLOC_GRANULARITY_MINIMUM || option == CU_MEM_ALLOC_GRANULARITY_RECOMMENDED;
  if (into == nullptr || prop == nullptr || !known_option) return cudaErrorInvalidValue;
  if (prop->type != CU_MEM_ALLOCATION_TYPE_PINNED) return cudaErrorInvalidValue;
  const bool on_device = prop->location.type == CU_MEM_LOCATION_TYPE_DEVICE;
  if (prop->location.type == CU_MEM_LOCATION_TYPE_INVALID) return cudaErrorInvalidValue;
  if (on_device && !device_exists(prop->location.id)) return cudaErrorInvalidDevice;
  *into = allocation_granularity;
  return cudaSuccess;
}

call_status range_of(const void* pointer, CUdeviceptr* base, std::size_t* size) {
  const auto located = convoy::locate(pointer);
  if (!located || located->base == nullptr) return cudaErrorSymbolNotFound;
  if (base != nullptr) *base = address(located->base);
  if (size != nullptr) *size = located->size;
  return cudaSuccess;
}

}  // namespace

extern "C" {

CONVOY_EXPORT CUresult cuMemGetInfo_v2(size_t* free, size_t* total) {
  return in_context(__func__, [&](device_id current) -> call_status {
    const auto memory = convoy::memory_stats_of(current);
    if (!memory) return memory;
    if (free == nullptr || total == nullptr) return cudaErrorInvalidValue;
    *free = memory->free;
    *total = memory->total;
    return cudaSuccess;
  });
}

CONVOY_EXPORT CUresult cuMemAlloc_v2(CUdeviceptr* dptr, size_t bytesize) {
  return in_context(__func__,
                    [&](device_id current) { return allocate_bytes(current, bytesize, dptr); });
}

CONVOY_EXPORT CUresult cuMemAllocPitch_v2(CUdeviceptr* dptr, size_t* pPitch, size_t WidthInBytes,
                                          size_t Height, unsigned int ElementSizeBytes) {
  return in_context(__func__, [&](device_id current) {
    return allocate_pitched(current, dptr, pPitch, {WidthInBytes, Height}, ElementSizeBytes);
  });
}

CONVOY_EXPORT CUresult cuMemFree_v2(CUdeviceptr dptr) {
  return driver_call(__func__, [&] { return free_device_memory(pointer(dptr)); });
}

CONVOY_EXPORT CUresult cuMemGetAddressRange_v2(CUdeviceptr* pbase, size_t* psize,
                                               CUdeviceptr dptr) {
  return driver_call(__func__, [&] { return range_of(pointer(dptr), pbase, psize); });
}

CONVOY_EXPORT CUresult cuMemAllocHost_v2(void** pp, size_t bytesize) {
  return in_context(
      __func__, [&](device_id current) { return allocate_host_here(current, bytesize, 0, pp); });
}

CONVOY_EXPORT CUresult cuMemHostAlloc(void** pp, size_t bytesize, unsigned int Flags) {
  return in_context(__func__, [&](device_id current) {
    return allocate_host_here(current, bytesize, Flags, pp);
  });
}

CONVOY_EXPORT CUresult cuMemFreeHost(void* p) {
  return driver_call(__func__, [&]() -> call_status {
    if (p == nullptr) return cudaErrorInvalidValue;
    return free_host_memory(p);
  });
}

CONVOY_EXPORT CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* pdptr, void* p,
                                                    unsigned int Flags) {
  return driver_call(__func__, [&]() -> call_status {
    if (Flags != 0) return cudaErrorInvalidValue;
    return device_pointer(p, as_runtime(pdptr));
  });
}

CONVOY_EXPORT CUresult cuMemHostGetFlags(unsigned int* pFlags, void* p) {
  return driver_call(__func__, [&] { return host_flags(p, pFlags); });
}

CONVOY_EXPORT CUresult cuMemGetAllocationGranularity(size_t* granularity,
                                                     const CUmemAllocationProp* prop,
                                                     CUmemAllocationGranularity_flags option) {
  return driver_call(__func__, [&] { return granularity_of(prop, option, granularity); });
}

CONVOY_EXPORT CUresult cuMemAllocManaged(CUdeviceptr* dptr, size_t bytesize, unsigned int flags) {
  return in_context(__func__, [&](device_id current) {
    return allocate_managed_memory(current, bytesize, flags, as_runtime(dptr));
  });
}

CONVOY_EXPORT CUresult cuMemHostRegister_v2(void* p, size_t bytesize, unsigned int Flags) {
  return in_context(__func__,
                    [&](device_id current) { return register_host(current, p, bytesize, Flags); });
}

CONVOY_EXPORT CUresult cuMemHostUnregister(void* p) {
  return driver_call(__func__, [&] { return unregister_host(p); });
}

}  // extern "C"
