/* C++ overloads of runtime functions: pointers of any type, and batches without failIndex. */
#ifndef CONVOY_ACL_RT_API_H
#define CONVOY_ACL_RT_API_H

#include <acl/acl_rt.h>

#ifdef __cplusplus

template <typename T>
inline aclError aclrtMalloc(T** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return ::aclrtMalloc(reinterpret_cast<void**>(devPtr), size, policy);
}

template <typename T>
inline aclError aclrtMallocAlign32(T** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return ::aclrtMallocAlign32(reinterpret_cast<void**>(devPtr), size, policy);
}

template <typename T>
inline aclError aclrtMallocCached(T** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return ::aclrtMallocCached(reinterpret_cast<void**>(devPtr), size, policy);
}

template <typename T>
inline aclError aclrtMallocWithCfg(T** devPtr, size_t size, aclrtMemMallocPolicy policy,
                                   aclrtMallocConfig* cfg) {
  return ::aclrtMallocWithCfg(reinterpret_cast<void**>(devPtr), size, policy, cfg);
}

template <typename T>
inline aclError aclrtMallocHost(T** hostPtr, size_t size) {
  return ::aclrtMallocHost(reinterpret_cast<void**>(hostPtr), size);
}

template <typename T>
inline aclError aclrtMallocHostWithCfg(T** ptr, uint64_t size, aclrtMallocConfig* cfg) {
  return ::aclrtMallocHostWithCfg(reinterpret_cast<void**>(ptr), size, cfg);
}

template <typename T>
inline aclError aclrtHostRegister(void* ptr, uint64_t size, aclrtHostRegisterType type,
                                  T** devPtr) {
  return ::aclrtHostRegister(ptr, size, type, reinterpret_cast<void**>(devPtr));
}

template <typename T>
inline aclError aclrtHostGetDevicePointer(void* pHost, T** pDevice, uint32_t flag) {
  return ::aclrtHostGetDevicePointer(pHost, reinterpret_cast<void**>(pDevice), flag);
}

template <typename T>
inline aclError aclrtIpcMemImportByKey(T** devPtr, const char* key, uint64_t flags) {
  return ::aclrtIpcMemImportByKey(reinterpret_cast<void**>(devPtr), key, flags);
}

/* Pointers of any type. */
template <typename T>
inline aclError aclrtMemManagedPrefetchBatchAsync(T** ptrs, size_t* sizes, size_t count,
                                                  aclrtMemManagedLocation* prefetchLocs,
                                                  size_t* prefetchLocIdxs, size_t numPrefetchLocs,
                                                  uint64_t flags, aclrtStream stream) {
  return ::aclrtMemManagedPrefetchBatchAsync(
      reinterpret_cast<const void**>(const_cast<const T**>(ptrs)), sizes, count, prefetchLocs,
      prefetchLocIdxs, numPrefetchLocs, flags, stream);
}

/* One location for all. */
template <typename T>
inline aclError aclrtMemManagedPrefetchBatchAsync(T** ptrs, size_t* sizes, size_t count,
                                                  aclrtMemManagedLocation prefetchLoc,
                                                  uint64_t flags, aclrtStream stream) {
  size_t first = 0;
  return ::aclrtMemManagedPrefetchBatchAsync(
      reinterpret_cast<const void**>(const_cast<const T**>(ptrs)), sizes, count, &prefetchLoc,
      &first, 1, flags, stream);
}

inline aclError aclrtMemcpyBatch(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                                 size_t numBatches, aclrtMemcpyBatchAttr* attrs,
                                 size_t* attrsIndexes, size_t numAttrs) {
  return ::aclrtMemcpyBatchV2(dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes,
                              numAttrs);
}

inline aclError aclrtMemcpyBatchAsync(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes,
                                      size_t numBatches, aclrtMemcpyBatchAttr* attrs,
                                      size_t* attrsIndexes, size_t numAttrs, aclrtStream stream) {
  return ::aclrtMemcpyBatchAsyncV2(dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes,
                                   numAttrs, stream);
}

#endif

#endif
