// Memory in stream order, and the pools it comes from.
#include "calls/pools.hpp"

#include "calls/devices.hpp"
#include "driver_api/driver_call.hpp"
#include "driver_api/layout_casts.hpp"

using namespace convoy::cuda;

namespace {

CUmemoryPool handle_of(memory_pool* pool) { return reinterpret_cast<CUmemoryPool>(pool); }

cudaMemLocation on_device(int device) { return {cudaMemLocationTypeDevice, device}; }

call_status write_pool(memory_pool* found, CUmemoryPool* into, cudaError_t otherwise) {
  if (into == nullptr) return cudaErrorInvalidValue;
  if (found == nullptr) return otherwise;
  *into = handle_of(found);
  return cudaSuccess;
}

call_status allocate_in_order(CUdeviceptr* out, std::size_t bytes, CUstream stream) {
  if (bytes == 0) return cudaErrorInvalidValue;
  const auto target = native(stream);
  if (!target) return target;
  return allocate_in_stream(*target, bytes, as_runtime(out));
}

call_status allocate_from_pool(CUdeviceptr* out, std::size_t bytes, CUmemoryPool pool,
                               CUstream stream) {
  if (bytes == 0) return cudaErrorInvalidValue;
  const auto target = native(stream);
  if (!target) return target;
  return allocate_from_pool(known_pool(pool), *target, bytes, as_runtime(out));
}

call_status free_in_order(CUdeviceptr start, CUstream stream) {
  const auto target = native(stream);
  if (!target) return target;
  return free_in_stream(*target, pointer(start));
}

call_status choose_for(int device, CUmemoryPool pool) {
  convoy::device_id found{};
  if (const call_status s = find_device(device, &found); !s.ok()) return s;
  return set_current_pool(on_device(device), cudaMemAllocationTypePinned, known_pool(pool));
}

cudaMemAllocationType as_runtime(CUmemAllocationType type) {
  return static_cast<cudaMemAllocationType>(type);
}

}  // namespace

extern "C" {

CONVOY_EXPORT CUresult cuMemAllocAsync(CUdeviceptr* dptr, size_t bytesize, CUstream hStream) {
  return in_stream(__func__, hStream, [&] { return allocate_in_order(dptr, bytesize, hStream); });
}

CONVOY_EXPORT CUresult cuMemAllocAsync_ptsz(CUdeviceptr* dptr, size_t bytesize, CUstream hStream) {
  return cuMemAllocAsync(dptr, bytesize, per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemAllocFromPoolAsync(CUdeviceptr* dptr, size_t bytesize,
                                               CUmemoryPool pool, CUstream hStream) {
  return in_stream(__func__, hStream,
                   [&] { return allocate_from_pool(dptr, bytesize, pool, hStream); });
}

CONVOY_EXPORT CUresult cuMemAllocFromPoolAsync_ptsz(CUdeviceptr* dptr, size_t bytesize,
                                                    CUmemoryPool pool, CUstream hStream) {
  return cuMemAllocFromPoolAsync(dptr, bytesize, pool, per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream) {
  return in_stream(__func__, hStream, [&] { return free_in_order(dptr, hStream); });
}

CONVOY_EXPORT CUresult cuMemFreeAsync_ptsz(CUdeviceptr dptr, CUstream hStream) {
  return cuMemFreeAsync(dptr, per_thread(hStream));
}

CONVOY_EXPORT CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool_out, CUdevice dev) {
  return driver_call(__func__, [&] {
    return write_pool(default_pool(on_device(dev), cudaMemAllocationTypePinned), pool_out,
                      cudaErrorInvalidDevice);
  });
}

CONVOY_EXPORT CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice dev) {
  return driver_call(__func__, [&] {
    return write_pool(current_pool(on_device(dev), cudaMemAllocationTypePinned), pool,
                      cudaErrorInvalidDevice);
  });
}

CONVOY_EXPORT CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool) {
  return driver_call(__func__, [&] { return choose_for(dev, pool); });
}

CONVOY_EXPORT CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool_out, CUmemLocation* location,
                                              CUmemAllocationType type) {
  return driver_call(__func__, [&]() -> call_status {
    if (location == nullptr) return cudaErrorInvalidValue;
    return write_pool(default_pool(as_runtime(*location), as_runtime(type)), pool_out,
                      cudaErrorInvalidValue);
  });
}

CONVOY_EXPORT CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location,
                                       CUmemAllocationType type) {
  return driver_call(__func__, [&]() -> call_status {
    if (location == nullptr) return cudaErrorInvalidValue;
    return write_pool(current_pool(as_runtime(*location), as_runtime(type)), pool,
                      cudaErrorInvalidValue);
  });
}

CONVOY_EXPORT CUresult cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType type,
                                       CUmemoryPool pool) {
  return driver_call(__func__, [&]() -> call_status {
    if (location == nullptr) return cudaErrorInvalidValue;
    return set_current_pool(as_runtime(*location), as_runtime(type), known_pool(pool));
  });
}

CONVOY_EXPORT CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* poolProps) {
  return driver_call(__func__, [&]() -> call_status {
    memory_pool* made = nullptr;
    if (pool == nullptr || poolProps == nullptr) return cudaErrorInvalidValue;
    const call_status s = make_pool(*as_runtime(poolProps), &made);
    if (s.ok()) *pool = handle_of(made);
    return s;
  });
}

CONVOY_EXPORT CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return driver_call(__func__, [&] { return destroy_pool(known_pool(pool)); });
}

CONVOY_EXPORT CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep) {
  return driver_call(__func__, [&] { return trim_pool(known_pool(pool), minBytesToKeep); });
}

CONVOY_EXPORT CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr,
                                             void* value) {
  return driver_call(__func__, [&] {
    return set_attribute(known_pool(pool), static_cast<cudaMemPoolAttr>(attr), value);
  });
}

CONVOY_EXPORT CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr,
                                             void* value) {
  return driver_call(__func__, [&] {
    return get_attribute(known_pool(pool), static_cast<cudaMemPoolAttr>(attr), value);
  });
}

CONVOY_EXPORT CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* map,
                                          size_t count) {
  return driver_call(__func__,
                     [&] { return set_access(known_pool(pool), as_runtime(map), count); });
}

CONVOY_EXPORT CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool memPool,
                                          CUmemLocation* location) {
  return driver_call(__func__, [&]() -> call_status {
    if (location == nullptr) return cudaErrorInvalidValue;
    return get_access(known_pool(memPool), as_runtime(*location), as_runtime(flags));
  });
}

}  // extern "C"
