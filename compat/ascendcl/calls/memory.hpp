// Memory: allocation, registration, what programs can ask about it, and memory of other processes.
#pragma once

#include <acl/acl.h>

#include <cstddef>
#include <cstdint>

#include "state/outcome.hpp"

namespace convoy::ascendcl {

// Bytes that a program may use behind an allocation: as many as the model adds, or none.
enum class spare { as_model, none };

struct wish {
  void** into;
  std::size_t bytes;
  aclrtMemMallocPolicy policy;
  spare behind = spare::as_model;
  const aclrtMallocConfig* config = nullptr;
};
outcome allocate_on_device(const wish& w);
outcome allocate_on_host(void** into, std::uint64_t bytes, const aclrtMallocConfig* config);
outcome allocate_for_both(void** into, std::uint64_t bytes, std::uint32_t flag);

enum class freed { device_memory, host_memory };
outcome free_memory(void* start, freed what);
outcome free_after_work(void* start, freed what);

outcome register_mapped(void* start, std::uint64_t bytes, aclrtHostRegisterType type, void** into);
outcome register_flagged(void* start, std::uint64_t bytes, std::uint32_t flag);
outcome unregister_host_memory(void* start);
outcome get_device_address(void* start, void** into, std::uint32_t flag);
outcome get_mapping_capability(std::uint32_t device, aclrtHostMemMapCapability* into);

outcome get_pointer_attributes(const void* pointer, aclrtPtrAttributes* into);
outcome get_address_range(void* pointer, void** base, std::size_t* bytes);
outcome get_memory_size(aclrtMemAttr attribute, std::size_t* free, std::size_t* total);
outcome get_memory_usage(std::int32_t device, aclrtMemUsageInfo* into, std::size_t places,
                         std::size_t* count);
outcome get_damaged_memory(std::int32_t device, const aclrtMemUceInfo* into, std::size_t places,
                           std::size_t* count);
outcome repair_memory(std::int32_t device, const aclrtMemUceInfo* damaged);

// Whether every address is in memory of a type that is asked for; only device memory is one here.
struct type_question {
  void** addresses;
  std::uint32_t count;
  std::uint32_t types;
  std::uint32_t* into;
  std::uint32_t reserve;
};
outcome check_memory_type(const type_question& asked);

// Calls that make memory fast or tidy, of which nothing is to be seen here: they check that the
// range is known, or managed, and that the stream is the thread's.
outcome check_known_memory(const void* start, std::size_t bytes);
outcome check_managed_memory(const void* start, std::size_t bytes);
outcome map_for_peer(const void* start, std::size_t bytes, std::int32_t device);
outcome maintain_cache(const void* start, std::size_t bytes, aclrtStream handle);
outcome prefetch(const void* start, std::size_t bytes, aclrtStream handle);

struct prefetch_call {
  const void** starts;
  const std::size_t* sizes;
  std::size_t count;
  const aclrtMemManagedLocation* locations;
  const std::size_t* firsts;
  std::size_t location_count;
  std::uint64_t flags;
};
outcome prefetch_batch(const prefetch_call& p, aclrtStream handle);

// Device memory of other processes, in ipc.cpp. The key that programs pass around is the engine's,
// in hexadecimal: 64 digits and a null.
struct export_call {
  void* start;
  std::size_t bytes;
  char* key;
  std::size_t room;
  std::uint64_t flags;
};
outcome export_key(const export_call& e);
outcome permit_processes(const char* text, const std::int32_t* processes, std::size_t count);
outcome permit_servers(const char* text, const aclrtServerPid* servers, std::size_t count);
outcome set_ipc_attribute(const char* text, aclrtIpcMemAttrType type, std::uint64_t value);
outcome import_key(void** into, const char* text, std::uint64_t flags);
outcome close_key(const char* text);

}  // namespace convoy::ascendcl
