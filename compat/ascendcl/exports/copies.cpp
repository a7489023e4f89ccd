// Copies, batches, fills, descriptors and reductions.
#include "calls/copies.hpp"

#include "exports/acl_call.hpp"

using namespace convoy::ascendcl;

aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count,
                     aclrtMemcpyKind kind) {
  return acl_call(__func__, [&] { return copy_sync({dst, destMax, src, count, kind}); });
}
aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count,
                          aclrtMemcpyKind kind, aclrtStream stream) {
  return acl_call(__func__, [&] { return copy_async({dst, destMax, src, count, kind}, stream); });
}
aclError aclrtMemcpyAsyncWithCondition(void* dst, size_t destMax, const void* src, size_t count,
                                       aclrtMemcpyKind kind, aclrtStream stream) {
  return acl_call(__func__, [&] { return copy_async({dst, destMax, src, count, kind}, stream); });
}
aclError aclrtMemcpyAsyncWithOffset(void** dst, size_t destMax, size_t dstDataOffset,
                                    const void** src, size_t count, size_t srcDataOffset,
                                    aclrtMemcpyKind kind, aclrtStream stream) {
  return acl_call(__func__, [&] {
    return copy_by_offsets({dst, destMax, dstDataOffset, src, count, srcDataOffset, kind}, stream);
  });
}

aclError aclrtMemcpyBatchAsync(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                               size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                               size_t numAttrs, size_t* failIndex, aclrtStream stream) {
  return acl_call(__func__, [&] {
    return copy_batch_async(
        {dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs}, failIndex,
        stream);
  });
}
aclError aclrtMemcpyBatchAsyncV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                                 size_t numBatches, aclrtMemcpyBatchAttr* attrs,
                                 size_t* attrsIndexes, size_t numAttrs, aclrtStream stream) {
  size_t failed_item = 0;  // not reported by this form
  return acl_call(__func__, [&] {
    return copy_batch_async(
        {dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs}, &failed_item,
        stream);
  });
}
aclError aclrtMemcpyBatch(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                          size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                          size_t numAttrs, size_t* failIndex) {
  return acl_call(__func__, [&] {
    return copy_batch_sync({dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs},
                           failIndex);
  });
}
aclError aclrtMemcpyBatchV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                            size_t numBatches, aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes,
                            size_t numAttrs) {
  size_t failed_item = 0;  // not reported by this form
  return acl_call(__func__, [&] {
    return copy_batch_sync({dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs},
                           &failed_item);
  });
}

aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count) {
  return acl_call(__func__, [&] { return fill_sync(byte_fill{devPtr, maxCount, value, count}); });
}
aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count,
                          aclrtStream stream) {
  return acl_call(__func__, [&] {
    return fill_async(byte_fill{devPtr, maxCount, value, count}, stream);
  });
}
aclError aclrtMemsetD32(void* ptr, size_t memSize, uint32_t value, size_t N) {
  return acl_call(__func__, [&] { return fill_sync(d32_fill{ptr, memSize, value, N}); });
}
aclError aclrtMemsetD32Async(void* ptr, size_t memSize, uint32_t value, size_t N,
                             aclrtStream stream) {
  return acl_call(__func__, [&] { return fill_async(d32_fill{ptr, memSize, value, N}, stream); });
}
aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                       size_t height, aclrtMemcpyKind kind) {
  return acl_call(__func__, [&] {
    return copy_2d_sync({dst, dpitch, src, spitch, width, height, kind});
  });
}
aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                            size_t height, aclrtMemcpyKind kind, aclrtStream stream) {
  return acl_call(__func__, [&] {
    return copy_2d_async({dst, dpitch, src, spitch, width, height, kind}, stream);
  });
}

aclError aclrtGetMemcpyDescSize(aclrtMemcpyKind kind, size_t* descSize) {
  return acl_call(__func__, [&] { return get_descriptor_size(kind, descSize); });
}
aclError aclrtSetMemcpyDesc(void* desc, aclrtMemcpyKind kind, void* srcAddr, void* dstAddr,
                            size_t count, void* config) {
  return acl_call(__func__, [&] {
    return write_descriptor(copy_description{desc, kind, srcAddr, dstAddr, count, config});
  });
}
aclError aclrtMemcpyAsyncWithDesc(void* desc, aclrtMemcpyKind kind, aclrtStream stream) {
  return acl_call(__func__, [&] { return launch_descriptor(desc, kind, stream); });
}
aclError aclrtCmoGetDescSize(size_t* size) {
  return acl_call(__func__, [&] { return get_cache_descriptor_size(size); });
}
aclError aclrtCmoSetDesc(void* cmoDesc, void* src, size_t size) {
  return acl_call(__func__, [&] {
    return write_descriptor(cache_description{cmoDesc, src, size});
  });
}
aclError aclrtCmoAsyncWithDesc(void* cmoDesc, aclrtCmoType cmoType, aclrtStream stream,
                               const void* reserve) {
  return acl_call(__func__, [&] { return launch_descriptor(cmoDesc, cmoType, stream, reserve); });
}

aclError aclrtReduceAsync(void* dst, const void* src, uint64_t count, aclrtReduceKind kind,
                          aclDataType type, aclrtStream stream, void* reserve) {
  return acl_call(__func__, [&] {
    return reduce_async({dst, src, count, kind, type, reserve}, stream);
  });
}
