// Memory in stream order, and the pools it comes from.
#include "calls/pools.hpp"

#include "calls/devices.hpp"
#include "driver_api/border.hpp"
#include "driver_api/twins.hpp"

using namespace convoy::cuda;

namespace {

CUmemoryPool handle_of(memory_pool* pool) { return reinterpret_cast<CUmemoryPool>(pool); }

cudaMemLocation on_device(int device) { return {cudaMemLocationTypeDevice, device}; }

outcome answer(memory_pool* found, CUmemoryPool* into, cudaError_t otherwise) {
  if (into == nullptr) return cudaErrorInvalidValue;
  if (found == nullptr) return otherwise;
  *into = handle_of(found);
  return cudaSuccess;
}

outcome allocate_in_order(CUdeviceptr* got, std::size_t bytes, CUstream stream) {
  if (bytes == 0) return cudaErrorInvalidValue;
  const auto on = native(stream);
  if (!on) return on;
  return allocate_in(*on, bytes, twin(got));
}

outcome allocate_from_pool(CUdeviceptr* got, std::size_t bytes, CUmemoryPool pool,
                           CUstream stream) {
  if (bytes == 0) return cudaErrorInvalidValue;
  const auto on = native(stream);
  if (!on) return on;
  return allocate_from(known_pool(pool), *on, bytes, twin(got));
}

outcome free_in_order(CUdeviceptr start, CUstream stream) {
  const auto on = native(stream);
  if (!on) return on;
  return free_in(*on, pointer(start));
}

outcome choose_for(int device, CUmemoryPool pool) {
  convoy::device_id found{};
  if (const outcome o = find_device(device, &found); !o.ok()) return o;
  return choose_pool(on_device(device), cudaMemAllocationTypePinned, known_pool(pool));
}

cudaMemAllocationType twin(CUmemAllocationType type) {
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
  return border(__func__, [&] {
    return answer(default_pool(on_device(dev), cudaMemAllocationTypePinned), pool_out,
                  cudaErrorInvalidDevice);
  });
}

CONVOY_EXPORT CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice dev) {
  return border(__func__, [&] {
    return answer(current_pool(on_device(dev), cudaMemAllocationTypePinned), pool,
                  cudaErrorInvalidDevice);
  });
}

CONVOY_EXPORT CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool) {
  return border(__func__, [&] { return choose_for(dev, pool); });
}

CONVOY_EXPORT CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool_out, CUmemLocation* location,
                                              CUmemAllocationType type) {
  return border(__func__, [&]() -> outcome {
    if (location == nullptr) return cudaErrorInvalidValue;
    return answer(default_pool(twin(*location), twin(type)), pool_out, cudaErrorInvalidValue);
  });
}

CONVOY_EXPORT CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location,
                                       CUmemAllocationType type) {
  return border(__func__, [&]() -> outcome {
    if (location == nullptr) return cudaErrorInvalidValue;
    return answer(current_pool(twin(*location), twin(type)), pool, cudaErrorInvalidValue);
  });
}

CONVOY_EXPORT CUresult cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType type,
                                       CUmemoryPool pool) {
  return border(__func__, [&]() -> outcome {
    if (location == nullptr) return cudaErrorInvalidValue;
    return choose_pool(twin(*location), twin(type), known_pool(pool));
  });
}

CONVOY_EXPORT CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* poolProps) {
  return border(__func__, [&]() -> outcome {
    memory_pool* made = nullptr;
    if (pool == nullptr || poolProps == nullptr) return cudaErrorInvalidValue;
    const outcome o = make_pool(*twin(poolProps), &made);
    if (o.ok()) *pool = handle_of(made);
    return o;
  });
}

CONVOY_EXPORT CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return border(__func__, [&] { return destroy_pool(known_pool(pool)); });
}

CONVOY_EXPORT CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep) {
  return border(__func__, [&] { return trim_pool(known_pool(pool), minBytesToKeep); });
}

CONVOY_EXPORT CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr,
                                             void* value) {
  return border(__func__, [&] {
    return set_attribute(known_pool(pool), static_cast<cudaMemPoolAttr>(attr), value);
  });
}

CONVOY_EXPORT CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr,
                                             void* value) {
  return border(__func__, [&] {
    return get_attribute(known_pool(pool), static_cast<cudaMemPoolAttr>(attr), value);
  });
}

CONVOY_EXPORT CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* map,
                                          size_t count) {
  return border(__func__, [&] { return set_access(known_pool(pool), twin(map), count); });
}

CONVOY_EXPORT CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool memPool,
                                          CUmemLocation* location) {
  return border(__func__, [&]() -> outcome {
    if (location == nullptr) return cudaErrorInvalidValue;
    return get_access(known_pool(memPool), twin(*location), twin(flags));
  });
}

}  // extern "C"
