// Memory, and sharing it between processes.
#include "calls/memory.hpp"

#include "exports/acl_call.hpp"

using namespace convoy::ascendcl;

aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return acl_call(__func__, [&] { return allocate_on_device({devPtr, size, policy}); });
}
aclError aclrtMallocAlign32(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return acl_call(__func__, [&] {
    return allocate_on_device({devPtr, size, policy, padding_rule::none});
  });
}
aclError aclrtMallocCached(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return acl_call(__func__, [&] { return allocate_on_device({devPtr, size, policy}); });
}
aclError aclrtMallocWithCfg(void** devPtr, size_t size, aclrtMemMallocPolicy policy,
                            aclrtMallocConfig* cfg) {
  return acl_call(__func__, [&] {
    return allocate_on_device({devPtr, size, policy, padding_rule::of_soc, cfg});
  });
}
aclError aclrtMallocForTaskScheduler(void** devPtr, size_t size, aclrtMemMallocPolicy policy,
                                     aclrtMallocConfig* cfg) {
  return acl_call(__func__, [&] {
    return allocate_on_device({devPtr, size, policy, padding_rule::of_soc, cfg});
  });
}
aclError aclrtFree(void* devPtr) {
  return acl_call(__func__, [&] { return free_memory(devPtr, allocation_kind::device_memory); });
}
aclError aclrtFreeWithDevSync(void* devPtr) {
  return acl_call(__func__,
                  [&] { return free_after_work(devPtr, allocation_kind::device_memory); });
}
aclError aclrtMallocHost(void** hostPtr, size_t size) {
  return acl_call(__func__, [&] { return allocate_on_host(hostPtr, size, nullptr); });
}
aclError aclrtMallocHostWithCfg(void** ptr, uint64_t size, aclrtMallocConfig* cfg) {
  return acl_call(__func__, [&] { return allocate_on_host(ptr, size, cfg); });
}
aclError aclrtFreeHost(void* hostPtr) {
  return acl_call(__func__, [&] { return free_memory(hostPtr, allocation_kind::host_memory); });
}
aclError aclrtFreeHostWithDevSync(void* hostPtr) {
  return acl_call(__func__, [&] { return free_after_work(hostPtr, allocation_kind::host_memory); });
}
aclError aclrtPointerGetAttributes(const void* ptr, aclrtPtrAttributes* attributes) {
  return acl_call(__func__, [&] { return get_pointer_attributes(ptr, attributes); });
}
aclError aclrtCheckMemType(void** addrList, uint32_t size, uint32_t memType, uint32_t* checkResult,
                           uint32_t reserve) {
  return acl_call(__func__, [&] {
    return check_memory_type({addrList, size, memType, checkResult, reserve});
  });
}
aclError aclrtMemFlush(void* devPtr, size_t size) {
  return acl_call(__func__, [&] { return check_known_memory(devPtr, size); });
}
aclError aclrtMemInvalidate(void* devPtr, size_t size) {
  return acl_call(__func__, [&] { return check_known_memory(devPtr, size); });
}
aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total) {
  return acl_call(__func__, [&] { return get_memory_info(attr, free, total); });
}
aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo* memUsageInfo, size_t inputNum,
                              size_t* outputNum) {
  return acl_call(__func__,
                  [&] { return get_memory_usage(deviceId, memUsageInfo, inputNum, outputNum); });
}
aclError aclrtMemGetAddressRange(void* ptr, void** pbase, size_t* psize) {
  return acl_call(__func__, [&] { return get_address_range(ptr, pbase, psize); });
}
aclError aclrtMemAllocManaged(void** ptr, uint64_t size, uint32_t flag) {
  return acl_call(__func__, [&] { return allocate_managed_memory(ptr, size, flag); });
}
aclError aclrtMemManagedAdvise(const void* const ptr, uint64_t size, aclrtMemManagedAdviseType,
                               aclrtMemManagedLocation) {
  return acl_call(__func__, [&] { return check_managed_memory(ptr, size); });
}
aclError aclrtMemManagedPrefetchAsync(const void* ptr, size_t size, aclrtMemManagedLocation,
                                      uint32_t, aclrtStream stream) {
  return acl_call(__func__, [&] { return prefetch(ptr, size, stream); });
}
aclError aclrtMemManagedPrefetchBatchAsync(const void** ptrs, size_t* sizes, size_t count,
                                           aclrtMemManagedLocation* prefetchLocs,
                                           size_t* prefetchLocIdxs, size_t numPrefetchLocs,
                                           uint64_t flags, aclrtStream stream) {
  return acl_call(__func__, [&] {
    return prefetch_batch(
        {ptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags}, stream);
  });
}
aclError aclrtMemP2PMap(void* devPtr, size_t size, int32_t dstDevId, uint64_t) {
  return acl_call(__func__, [&] { return map_for_peer(devPtr, size, dstDevId); });
}
aclError aclrtCmoAsync(void* src, size_t size, aclrtCmoType, aclrtStream stream) {
  return acl_call(__func__, [&] { return maintain_cache(src, size, stream); });
}
aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t arraySize,
                            size_t* retSize) {
  return acl_call(
      __func__, [&] { return get_damaged_memory(deviceId, memUceInfoArray, arraySize, retSize); });
}
aclError aclrtMemUceRepair(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t) {
  return acl_call(__func__, [&] { return repair_memory(deviceId, memUceInfoArray); });
}

aclError aclrtHostRegister(void* ptr, uint64_t size, aclrtHostRegisterType type, void** devPtr) {
  return acl_call(__func__, [&] { return register_host_memory(ptr, size, type, devPtr); });
}
aclError aclrtHostRegisterV2(void* ptr, uint64_t size, uint32_t flag) {
  return acl_call(__func__, [&] { return register_host_memory(ptr, size, flag); });
}
aclError aclrtHostUnregister(void* ptr) {
  return acl_call(__func__, [&] { return unregister_host_memory(ptr); });
}
aclError aclrtHostGetDevicePointer(void* pHost, void** pDevice, uint32_t flag) {
  return acl_call(__func__, [&] { return get_device_address(pHost, pDevice, flag); });
}
aclError aclrtHostMemMapCapabilities(uint32_t deviceId, aclrtHacType,
                                     aclrtHostMemMapCapability* capabilities) {
  return acl_call(__func__, [&] { return get_mapping_capability(deviceId, capabilities); });
}

aclError aclrtIpcMemGetExportKey(void* devPtr, size_t size, char* key, size_t len, uint64_t flags) {
  return acl_call(__func__, [&] { return export_key({devPtr, size, key, len, flags}); });
}
aclError aclrtIpcMemSetImportPid(const char* key, int32_t* pid, size_t num) {
  return acl_call(__func__, [&] { return permit_processes(key, pid, num); });
}
aclError aclrtIpcMemImportByKey(void** devPtr, const char* key, uint64_t flags) {
  return acl_call(__func__, [&] { return import_key(devPtr, key, flags); });
}
aclError aclrtIpcMemClose(const char* key) {
  return acl_call(__func__, [&] { return close_key(key); });
}
aclError aclrtIpcMemSetAttr(const char* key, aclrtIpcMemAttrType type, uint64_t attr) {
  return acl_call(__func__, [&] { return set_ipc_attribute(key, type, attr); });
}
aclError aclrtIpcMemImportPidInterServer(const char* key, aclrtServerPid* serverPids, size_t num) {
  return acl_call(__func__, [&] { return permit_servers(key, serverPids, num); });
}
