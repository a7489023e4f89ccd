// Managed memory: advice, prefetches, and what is known of ranges.
#include "calls/managed.hpp"

#include "driver_api/border.hpp"
#include "driver_api/twins.hpp"

using namespace convoy::cuda;

namespace {

// Before locations, a place was a device or the host.
cudaMemLocation place_of(CUdevice device) {
  if (device == CU_DEVICE_CPU) return {cudaMemLocationTypeHost, 0};
  return {cudaMemLocationTypeDevice, device};
}

cudaMemoryAdvise twin(CUmem_advise advice) { return static_cast<cudaMemoryAdvise>(advice); }
cudaMemRangeAttribute twin(CUmem_range_attribute attribute) {
  return static_cast<cudaMemRangeAttribute>(attribute);
}

struct range_query {
  void** into;
  const std::size_t* sizes;
  const CUmem_range_attribute* which;
  std::size_t count;
};

outcome range_attributes(const range_query& asked, const void* start, std::size_t bytes) {
  const bool given = asked.into != nullptr && asked.sizes != nullptr && asked.which != nullptr;
  if (!given || asked.count == 0) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i != asked.count; ++i) {
    const outcome o =
        range_attribute(asked.into[i], asked.sizes[i], twin(asked.which[i]), start, bytes);
    if (!o.ok()) return o;
  }
  return cudaSuccess;
}

}  // namespace

#undef cuMemAdvise
#undef cuMemPrefetchAsync

extern "C" {

CONVOY_EXPORT CUresult cuMemAdvise_v2(CUdeviceptr devPtr, size_t count, CUmem_advise advice,
                                      CUmemLocation location) {
  return border(__func__,
                [&] { return advise(pointer(devPtr), count, twin(advice), twin(location)); });
}

CONVOY_EXPORT CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice,
                                   CUdevice device) {
  return border(__func__,
                [&] { return advise(pointer(devPtr), count, twin(advice), place_of(device)); });
}

CONVOY_EXPORT CUresult cuMemPrefetchAsync_v2(CUdeviceptr devPtr, size_t count,
                                             CUmemLocation location, unsigned int flags,
                                             CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return prefetch(hStream, pointer(devPtr), count, twin(location), flags);
  });
}

CONVOY_EXPORT CUresult cuMemPrefetchAsync_v2_ptsz(CUdeviceptr devPtr, size_t count,
                                                  CUmemLocation location, unsigned int flags,
                                                  CUstream hStream) {
  return cuMemPrefetchAsync_v2(devPtr, count, location, flags, per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice,
                                          CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return prefetch(hStream, pointer(devPtr), count, place_of(dstDevice), 0);
  });
}

CONVOY_EXPORT CUresult cuMemPrefetchAsync_ptsz(CUdeviceptr devPtr, size_t count, CUdevice dstDevice,
                                               CUstream hStream) {
  return cuMemPrefetchAsync(devPtr, count, dstDevice, per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemPrefetchBatchAsync(CUdeviceptr* dptrs, size_t* sizes, size_t count,
                                               CUmemLocation* prefetchLocs, size_t* prefetchLocIdxs,
                                               size_t numPrefetchLocs, unsigned long long flags,
                                               CUstream hStream) {
  return in_stream(__func__, hStream, [&]() -> outcome {
    const range_arrays ranges{twin(dptrs),        sizes,           count,
                              twin(prefetchLocs), prefetchLocIdxs, numPrefetchLocs};
    return prefetch_all(hStream, ranges, flags);
  });
}

CONVOY_EXPORT CUresult cuMemPrefetchBatchAsync_ptsz(CUdeviceptr* dptrs, size_t* sizes, size_t count,
                                                    CUmemLocation* prefetchLocs,
                                                    size_t* prefetchLocIdxs, size_t numPrefetchLocs,
                                                    unsigned long long flags, CUstream hStream) {
  return cuMemPrefetchBatchAsync(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs,
                                 numPrefetchLocs, flags, per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemDiscardBatchAsync(CUdeviceptr* dptrs, size_t* sizes, size_t count,
                                              unsigned long long flags, CUstream hStream) {
  return in_stream(__func__, hStream, [&] {
    return discard_all(hStream, {.starts = twin(dptrs), .sizes = sizes, .count = count}, flags);
  });
}

CONVOY_EXPORT CUresult cuMemDiscardBatchAsync_ptsz(CUdeviceptr* dptrs, size_t* sizes, size_t count,
                                                   unsigned long long flags, CUstream hStream) {
  return cuMemDiscardBatchAsync(dptrs, sizes, count, flags, per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemDiscardAndPrefetchBatchAsync(
    CUdeviceptr* dptrs, size_t* sizes, size_t count, CUmemLocation* prefetchLocs,
    size_t* prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags, CUstream hStream) {
  return in_stream(__func__, hStream, [&]() -> outcome {
    const range_arrays ranges{twin(dptrs),        sizes,           count,
                              twin(prefetchLocs), prefetchLocIdxs, numPrefetchLocs};
    return prefetch_all(hStream, ranges, flags);
  });
}

CONVOY_EXPORT CUresult cuMemDiscardAndPrefetchBatchAsync_ptsz(
    CUdeviceptr* dptrs, size_t* sizes, size_t count, CUmemLocation* prefetchLocs,
    size_t* prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags, CUstream hStream) {
  return cuMemDiscardAndPrefetchBatchAsync(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs,
                                           numPrefetchLocs, flags, per_thread(hStream));
}

CONVOY_EXPORT CUresult cuMemRangeGetAttribute(void* data, size_t dataSize,
                                              CUmem_range_attribute attribute, CUdeviceptr devPtr,
                                              size_t count) {
  return border(__func__, [&] {
    return range_attribute(data, dataSize, twin(attribute), pointer(devPtr), count);
  });
}

CONVOY_EXPORT CUresult cuMemRangeGetAttributes(void** data, size_t* dataSizes,
                                               CUmem_range_attribute* attributes,
                                               size_t numAttributes, CUdeviceptr devPtr,
                                               size_t count) {
  return border(__func__, [&] {
    return range_attributes({data, dataSizes, attributes, numAttributes}, pointer(devPtr), count);
  });
}

}  // extern "C"
