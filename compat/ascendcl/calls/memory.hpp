// Memory: allocation, host registration, attributes of pointers, and sharing between processes.
#pragma once

#include <acl/acl.h>

#include <cstddef>
#include <cstdint>

#include "state/call_status.hpp"

namespace convoy::ascendcl {

// Whether an allocation gets the padding of the SoC (soc_family::tail_padding).
enum class padding_rule { of_soc, none };

struct device_allocation {
  void** into;
  std::size_t bytes;
  aclrtMemMallocPolicy policy;
  padding_rule padding = padding_rule::of_soc;
  const aclrtMallocConfig* config = nullptr;
};
call_status allocate_on_device(const device_allocation& request);
call_status allocate_on_host(void** into, std::uint64_t bytes, const aclrtMallocConfig* config);
call_status allocate_managed_memory(void** into, std::uint64_t bytes, std::uint32_t flag);

enum class allocation_kind { device_memory, host_memory };
call_status free_memory(void* start, allocation_kind kind);
call_status free_after_work(void* start, allocation_kind kind);

call_status register_host_memory(void* start, std::uint64_t bytes, aclrtHostRegisterType type,
                                 void** into);
call_status register_host_memory(void* start, std::uint64_t bytes, std::uint32_t flag);
call_status unregister_host_memory(void* start);
call_status get_device_address(void* start, void** into, std::uint32_t flag);
call_status get_mapping_capability(std::uint32_t device, aclrtHostMemMapCapability* into);

call_status get_pointer_attributes(const void* pointer, aclrtPtrAttributes* into);
call_status get_address_range(void* pointer, void** base, std::size_t* bytes);
call_status get_memory_info(aclrtMemAttr attribute, std::size_t* free, std::size_t* total);
call_status get_memory_usage(std::int32_t device, aclrtMemUsageInfo* into, std::size_t capacity,
                             std::size_t* count);
call_status get_damaged_memory(std::int32_t device, const aclrtMemUceInfo* into,
                               std::size_t capacity, std::size_t* count);
call_status repair_memory(std::int32_t device, const aclrtMemUceInfo* damaged);

// `into` gets 1 if every address is of one of the types, else 0. Device memory is the only type.
struct memory_type_query {
  void** addresses;
  std::uint32_t count;
  std::uint32_t types;
  std::uint32_t* into;
  std::uint32_t reserve;
};
call_status check_memory_type(const memory_type_query& query);

// Prefetches, advice and cache maintenance have no effect. They check the range, which must be
// known or managed memory, and the stream.
call_status check_known_memory(const void* start, std::size_t bytes);
call_status check_managed_memory(const void* start, std::size_t bytes);
call_status map_for_peer(const void* start, std::size_t bytes, std::int32_t device);
call_status maintain_cache(const void* start, std::size_t bytes, aclrtStream handle);
call_status prefetch(const void* start, std::size_t bytes, aclrtStream handle);

struct prefetch_call {
  const void** starts;
  const std::size_t* sizes;
  std::size_t count;
  const aclrtMemManagedLocation* locations;
  const std::size_t* firsts;
  std::size_t location_count;
  std::uint64_t flags;
};
call_status prefetch_batch(const prefetch_call& p, aclrtStream handle);

// Memory shared between processes, defined in ipc.cpp. A key is the engine's key in hexadecimal: 64
// digits and a null.
struct export_call {
  void* start;
  std::size_t bytes;
  char* key;
  std::size_t capacity;
  std::uint64_t flags;
};
call_status export_key(const export_call& e);
call_status permit_processes(const char* text, const std::int32_t* processes, std::size_t count);
call_status permit_servers(const char* text, const aclrtServerPid* servers, std::size_t count);
call_status set_ipc_attribute(const char* text, aclrtIpcMemAttrType type, std::uint64_t value);
call_status import_key(void** into, const char* text, std::uint64_t flags);
call_status close_key(const char* text);

}  // namespace convoy::ascendcl
