// Managed memory: advice, prefetches, discards and range attributes.
#include "calls/managed.hpp"

#include "driver_api/driver_call.hpp"
#include "driver_api/layout_casts.hpp"
#include "driver_api/legacy_symbols.hpp"

using namespace convoy::cuda;

namespace {

// Older versions name a device or the CPU instead of a location.
cudaMemLocation location_of(CUdevice device) {
  if (device == CU_DEVICE_CPU) return {cudaMemLocationTypeHost, 0};
  return {cudaMemLocationTypeDevice, device};
}

}  // namespace

extern "C" {

CONVOY_EXPORT CUresult cuMemAdvise_v2(CUdeviceptr devPtr, size_t count, CUmem_advise advice,
                                      CUmemLocation location) {
  return driver_call(__func__, [&] {
    return advise(pointer(devPtr), count, as_runtime(advice), as_runtime(location));
  });
}

CONVOY_EXPORT CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice,
                                   CUdevice device) {
  return driver_call(__func__, [&] {
    return advise(pointer(devPtr), count, as_runtime(advice), location_of(device));
  });
}

CONVOY_EXPORT CUresult cuMemPrefetchAsync_v2(CUdeviceptr devPtr, size_t count,
                                             CUmemLocation location, unsigned int flags,
                                             CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return prefetch(hStream, pointer(devPtr), count, as_runtime(location), flags);
  });
}

CONVOY_EXPORT CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice,
                                          CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return prefetch(hStream, pointer(devPtr), count, location_of(dstDevice), 0);
  });
}

CONVOY_EXPORT CUresult cuMemPrefetchBatchAsync(CUdeviceptr* dptrs, size_t* sizes, size_t count,
                                               CUmemLocation* prefetchLocs, size_t* prefetchLocIdxs,
                                               size_t numPrefetchLocs, unsigned long long flags,
                                               CUstream hStream) {
  return in_stream(__func__, hStream, [&]() -> call_status {
    const managed_ranges ranges{as_runtime(dptrs),        sizes,           count,
                                as_runtime(prefetchLocs), prefetchLocIdxs, numPrefetchLocs};
    return prefetch_batch(hStream, ranges, flags);
  });
}

CONVOY_EXPORT CUresult cuMemDiscardBatchAsync(CUdeviceptr* dptrs, size_t* sizes, size_t count,
                                              unsigned long long flags, CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return discard_batch(hStream, {.starts = as_runtime(dptrs), .sizes = sizes, .count = count},
                         flags);
  });
}

CONVOY_EXPORT CUresult cuMemDiscardAndPrefetchBatchAsync(
    CUdeviceptr* dptrs, size_t* sizes, size_t count, CUmemLocation* prefetchLocs,
    size_t* prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags, CUstream hStream) {
  return in_stream(__func__, hStream, [&]() -> call_status {
    const managed_ranges ranges{as_runtime(dptrs),        sizes,           count,
                                as_runtime(prefetchLocs), prefetchLocIdxs, numPrefetchLocs};
    return prefetch_batch(hStream, ranges, flags);
  });
}

CONVOY_EXPORT CUresult cuMemRangeGetAttribute(void* data, size_t dataSize,
                                              CUmem_range_attribute attribute, CUdeviceptr devPtr,
                                              size_t count) {
  return driver_call(__func__, [&] {
    return range_attribute(data, dataSize, as_runtime(attribute), pointer(devPtr), count);
  });
}

CONVOY_EXPORT CUresult cuMemRangeGetAttributes(void** data, size_t* dataSizes,
                                               CUmem_range_attribute* attributes,
                                               size_t numAttributes, CUdeviceptr devPtr,
                                               size_t count) {
  return driver_call(__func__, [&] {
    return range_attributes(data, dataSizes, {as_runtime(attributes), numAttributes},
                            pointer(devPtr), count);
  });
}

}  // extern "C"
