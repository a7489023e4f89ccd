// Stream-ordered allocation and memory pools.
#include "calls/pools.hpp"

#include "driver_api/driver_call.hpp"
#include "driver_api/layout_casts.hpp"

using namespace convoy::cuda;

extern "C" {

CONVOY_EXPORT CUresult cuMemAllocAsync(CUdeviceptr* dptr, size_t bytesize, CUstream hStream) {
  return in_stream(__func__, hStream,
                   [&] { return allocate_in_stream(hStream, bytesize, as_runtime(dptr)); });
}

CONVOY_EXPORT CUresult cuMemAllocFromPoolAsync(CUdeviceptr* dptr, size_t bytesize,
                                               CUmemoryPool pool, CUstream hStream) {
  return in_stream(__func__, hStream,
                   [&] { return allocate_from_pool(pool, hStream, bytesize, as_runtime(dptr)); });
}

CONVOY_EXPORT CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream) {
  return in_stream(__func__, hStream, [&] { return free_in_stream(hStream, pointer(dptr)); });
}

CONVOY_EXPORT CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool_out, CUdevice dev) {
  return driver_call(__func__, [&] { return get_pool(pool_choice::default_pool, dev, pool_out); });
}

CONVOY_EXPORT CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice dev) {
  return driver_call(__func__, [&] { return get_pool(pool_choice::current_pool, dev, pool); });
}

CONVOY_EXPORT CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool) {
  return driver_call(__func__, [&] { return set_pool(dev, pool); });
}

CONVOY_EXPORT CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool_out, CUmemLocation* location,
                                              CUmemAllocationType type) {
  return driver_call(__func__, [&] {
    return get_pool(pool_choice::default_pool, as_runtime(location), as_runtime(type), pool_out);
  });
}

CONVOY_EXPORT CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location,
                                       CUmemAllocationType type) {
  return driver_call(__func__, [&] {
    return get_pool(pool_choice::current_pool, as_runtime(location), as_runtime(type), pool);
  });
}

CONVOY_EXPORT CUresult cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType type,
                                       CUmemoryPool pool) {
  return driver_call(__func__,
                     [&] { return set_pool(as_runtime(location), as_runtime(type), pool); });
}

CONVOY_EXPORT CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* poolProps) {
  return driver_call(__func__, [&] { return make_pool(as_runtime(poolProps), pool); });
}

CONVOY_EXPORT CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return driver_call(__func__, [&] { return destroy_pool(pool); });
}

CONVOY_EXPORT CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep) {
  return driver_call(__func__, [&] { return trim_pool(pool, minBytesToKeep); });
}

CONVOY_EXPORT CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr,
                                             void* value) {
  return driver_call(__func__, [&] { return set_attribute(pool, as_runtime(attr), value); });
}

CONVOY_EXPORT CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr,
                                             void* value) {
  return driver_call(__func__, [&] { return get_attribute(pool, as_runtime(attr), value); });
}

CONVOY_EXPORT CUresult cuMemPoolExportToShareableHandle(void* handle_out, CUmemoryPool pool,
                                                        CUmemAllocationHandleType handleType,
                                                        unsigned long long flags) {
  return driver_call(
      __func__, [&] { return export_pool(pool, handle_out, handleType, flags == 0 ? 0U : 1U); });
}

CONVOY_EXPORT CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* map,
                                          size_t count) {
  return driver_call(__func__, [&] { return set_access(pool, as_runtime(map), count); });
}

CONVOY_EXPORT CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool memPool,
                                          CUmemLocation* location) {
  return driver_call(__func__,
                     [&] { return get_access(memPool, as_runtime(location), as_runtime(flags)); });
}

}  // extern "C"
