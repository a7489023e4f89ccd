// Memory of devices and of the host.
#include "calls/memory.hpp"

#include <convoy/memory.hpp>

#include "driver_api/border.hpp"
#include "driver_api/twins.hpp"

using namespace convoy::cuda;
using convoy::device_id;

namespace {

constexpr unsigned element_sizes = 4 | 8 | 16;

outcome allocate_bytes(device_id on, std::size_t bytes, CUdeviceptr* got) {
  if (bytes == 0) return cudaErrorInvalidValue;
  return allocate_on(on, bytes, twin(got));
}

outcome allocate_pitched(device_id on, CUdeviceptr* got, std::size_t* pitch, const convoy::box& of,
                         unsigned element) {
  const bool one_size = (element & (element - 1)) == 0 && (element & element_sizes) != 0;
  if (of.width == 0 || of.height == 0 || !one_size) return cudaErrorInvalidValue;
  return allocate_rows(on, of.width, of.height, twin(got), pitch);
}

outcome allocate_pinned_here(device_id on, std::size_t bytes, unsigned flags, void** got) {
  if (bytes == 0) return cudaErrorInvalidValue;
  return allocate_host(on, bytes, flags, got);
}

outcome range_of(const void* pointer, CUdeviceptr* base, std::size_t* size) {
  const auto where = convoy::locate(pointer);
  if (!where || where->base == nullptr) return cudaErrorSymbolNotFound;
  if (base != nullptr) *base = address(where->base);
  if (size != nullptr) *size = where->size;
  return cudaSuccess;
}

}  // namespace

extern "C" {

CONVOY_EXPORT CUresult cuMemGetInfo_v2(size_t* free, size_t* total) {
  return in_context(__func__, [&](device_id on) -> outcome {
    const auto room = convoy::memory_stats_of(on);
    if (!room) return room;
    if (free == nullptr || total == nullptr) return cudaErrorInvalidValue;
    *free = room->free;
    *total = room->total;
    return cudaSuccess;
  });
}

CONVOY_EXPORT CUresult cuMemAlloc_v2(CUdeviceptr* dptr, size_t bytesize) {
  return in_context(__func__, [&](device_id on) { return allocate_bytes(on, bytesize, dptr); });
}

CONVOY_EXPORT CUresult cuMemAllocPitch_v2(CUdeviceptr* dptr, size_t* pPitch, size_t WidthInBytes,
                                          size_t Height, unsigned int ElementSizeBytes) {
  return in_context(__func__, [&](device_id on) {
    return allocate_pitched(on, dptr, pPitch, {WidthInBytes, Height}, ElementSizeBytes);
  });
}

CONVOY_EXPORT CUresult cuMemFree_v2(CUdeviceptr dptr) {
  return border(__func__, [&] { return free_on_device(pointer(dptr)); });
}

CONVOY_EXPORT CUresult cuMemGetAddressRange_v2(CUdeviceptr* pbase, size_t* psize,
                                               CUdeviceptr dptr) {
  return border(__func__, [&] { return range_of(pointer(dptr), pbase, psize); });
}

CONVOY_EXPORT CUresult cuMemAllocHost_v2(void** pp, size_t bytesize) {
  return in_context(__func__,
                    [&](device_id on) { return allocate_pinned_here(on, bytesize, 0, pp); });
}

CONVOY_EXPORT CUresult cuMemHostAlloc(void** pp, size_t bytesize, unsigned int Flags) {
  return in_context(__func__,
                    [&](device_id on) { return allocate_pinned_here(on, bytesize, Flags, pp); });
}

CONVOY_EXPORT CUresult cuMemFreeHost(void* p) {
  return border(__func__, [&]() -> outcome {
    if (p == nullptr) return cudaErrorInvalidValue;
    return free_on_host(p);
  });
}

CONVOY_EXPORT CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* pdptr, void* p,
                                                    unsigned int Flags) {
  return border(__func__, [&]() -> outcome {
    if (Flags != 0) return cudaErrorInvalidValue;
    return device_view(p, twin(pdptr));
  });
}

CONVOY_EXPORT CUresult cuMemHostGetFlags(unsigned int* pFlags, void* p) {
  return border(__func__, [&] { return host_flags(p, pFlags); });
}

CONVOY_EXPORT CUresult cuMemAllocManaged(CUdeviceptr* dptr, size_t bytesize, unsigned int flags) {
  return in_context(__func__,
                    [&](device_id on) { return allocate_shared(on, bytesize, flags, twin(dptr)); });
}

CONVOY_EXPORT CUresult cuMemHostRegister_v2(void* p, size_t bytesize, unsigned int Flags) {
  return in_context(__func__, [&](device_id on) { return register_host(on, p, bytesize, Flags); });
}

CONVOY_EXPORT CUresult cuMemHostUnregister(void* p) {
  return border(__func__, [&] { return unregister_host(p); });
}

}  // extern "C"
