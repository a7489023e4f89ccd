#include "calls/pools.hpp"

#include <algorithm>
#include <atomic>
#include <convoy/device.hpp>
#include <convoy/memory.hpp>
#include <deque>
#include <map>
#include <mutex>

#include "shared/process_lifetime.hpp"
#include "state/context.hpp"
#include "state/handles.hpp"
#include "state/memory_pool.hpp"
#include "state/visible_devices.hpp"

namespace convoy::cuda {
namespace {

using compat::process_object;

// Keys of the pool table: device i has key i, its managed pool first_managed_key + i.
enum class pool_key : int { host = -1, host_managed = -2 };
constexpr int first_managed_key = 1000;

struct pool_table {
  std::mutex mutex;
  std::deque<memory_pool> pools;
  std::map<int, memory_pool*> defaults;
  std::map<int, memory_pool*> current;
};

// Set by the first allocation. While false, check_pool_access() takes no lock.
std::atomic<bool> any_pool_memory = false;

// Set when memory returns to a pool. While false, trim_pools() takes no lock.
std::atomic<bool> trim_pending = false;

// Returns the key of a location and type of memory; none if there can be no pool.
std::optional<int> key_of(const cudaMemLocation& location, cudaMemAllocationType type) {
  const bool managed = type == cudaMemAllocationTypeManaged;
  if (type != cudaMemAllocationTypePinned && !managed) return {};
  switch (location.type) {
    case cudaMemLocationTypeDevice:
      if (!device_exists(location.id)) return {};
      return managed ? first_managed_key + location.id : location.id;
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNuma:
    case cudaMemLocationTypeHostNumaCurrent:
      return static_cast<int>(managed ? pool_key::host_managed : pool_key::host);
    case cudaMemLocationTypeNone: break;
  }
  if (managed) return static_cast<int>(pool_key::host_managed);
  return {};
}

cudaMemPoolProps default_props(const cudaMemLocation& location, cudaMemAllocationType type) {
  cudaMemPoolProps made = {};
  made.allocType = type;
  made.location = location;
  return made;
}

result<void*> allocate_backing(const memory_pool& pool, std::size_t bytes) {
  if (pool.props.allocType == cudaMemAllocationTypeManaged) return allocate_managed(bytes);
  if (pool.props.location.type != cudaMemLocationTypeDevice) return allocate_pinned(bytes);
  const auto device = device_at(pool.props.location.id);
  return device ? allocate(*device, bytes) : status{errc::invalid_device};
}

allocation_kind kind_of(const memory_pool& pool) {
  if (pool.props.allocType == cudaMemAllocationTypeManaged) return allocation_kind::managed;
  const bool on_device = pool.props.location.type == cudaMemLocationTypeDevice;
  return on_device ? allocation_kind::device : allocation_kind::pinned;
}

// Counts the bytes as used; false if that exceeds the maximum size of the pool.
bool charge_pool(memory_pool& pool, std::size_t bytes) {
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  const std::size_t max_bytes = pool.props.maxSize == 0 ? SIZE_MAX : pool.props.maxSize;
  if (bytes > max_bytes || pool.used > max_bytes - bytes) return false;
  pool.add_used(bytes);
  return true;
}

// The 64-bit attributes of a pool; null for the others.
std::uint64_t* counter_of(memory_pool& pool, cudaMemPoolAttr attribute) {
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold: return &pool.threshold;
    case cudaMemPoolAttrReservedMemCurrent: return &pool.reserved;
    case cudaMemPoolAttrReservedMemHigh: return &pool.reserved_high;
    case cudaMemPoolAttrUsedMemCurrent: return &pool.used;
    case cudaMemPoolAttrUsedMemHigh: return &pool.used_high;
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies: break;
  }
  return nullptr;
}

int* reuse_flag_of(memory_pool& pool, cudaMemPoolAttr attribute) {
  const auto index = static_cast<unsigned>(attribute) - 1U;
  return index < pool.reuse.size() ? &pool.reuse[index] : nullptr;
}

cudaMemPool_t handle_of(memory_pool* pool) { return reinterpret_cast<cudaMemPool_t>(pool); }

// Returns the pool with this handle; null if it was destroyed or never existed.
memory_pool* known_pool(cudaMemPool_t handle) {
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  const auto found = std::find_if(table.pools.begin(), table.pools.end(),
                                  [&](memory_pool& each) { return handle_of(&each) == handle; });
  return found != table.pools.end() && found->alive ? &*found : nullptr;
}

// Returns null if the location can have no pool. Default pools are created on first use.
memory_pool* find_pool(pool_choice choice, const cudaMemLocation& location,
                       cudaMemAllocationType type) {
  const auto key = key_of(location, type);
  if (!key) return nullptr;
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  const auto current = table.current.find(*key);
  if (choice == pool_choice::current_pool && current != table.current.end()) return current->second;
  memory_pool*& known = table.defaults[*key];
  if (known == nullptr) known = &table.pools.emplace_back(default_props(location, type), true);
  return known;
}

cudaMemLocation on_device(int device) { return {cudaMemLocationTypeDevice, device}; }

call_status write_handle(memory_pool* found, cudaError_t not_found, cudaMemPool_t* out) {
  if (out == nullptr) return cudaErrorInvalidValue;
  if (found == nullptr) return not_found;
  *out = handle_of(found);
  return cudaSuccess;
}

call_status allocate_from(memory_pool* pool, stream_ref stream, std::size_t bytes, void** out) {
  if (out == nullptr) return cudaErrorInvalidValue;
  *out = nullptr;
  if (pool == nullptr) return cudaErrorInvalidValue;
  const auto stream_device = stream.device();
  if (!stream_device) return stream_device;
  if (bytes == 0) return cudaSuccess;
  if (!charge_pool(*pool, bytes)) return cudaErrorMemoryAllocation;
  const auto made = allocate_backing(*pool, bytes);
  if (!made) {
    return_to_pool({.bytes = bytes, .pool = pool});
    return made;
  }
  const bool has_device = pool->props.location.type == cudaMemLocationTypeDevice;
  const device_id device =
      has_device ? device_at(pool->props.location.id).value_or(*stream_device) : *stream_device;
  allocations().add({.start = *made,
                     .bytes = bytes,
                     .kind = kind_of(*pool),
                     .device = device,
                     .pool = pool,
                     .owner = primary_of(device)});
  any_pool_memory.store(true, std::memory_order_relaxed);
  *out = *made;
  return cudaSuccess;
}

}  // namespace

call_status make_pool(const cudaMemPoolProps* props, cudaMemPool_t* out) {
  if (props == nullptr || out == nullptr || !key_of(props->location, props->allocType)) {
    return cudaErrorInvalidValue;
  }
  if (props->handleTypes != cudaMemHandleTypeNone) return status{errc::not_supported};
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  *out = handle_of(&table.pools.emplace_back(*props, false));
  return cudaSuccess;
}

call_status destroy_pool(cudaMemPool_t handle) {
  memory_pool* const pool = known_pool(handle);
  if (pool == nullptr || pool->is_default) return cudaErrorInvalidValue;
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  pool->alive = false;
  std::erase_if(table.current, [&](const auto& each) { return each.second == pool; });
  return cudaSuccess;
}

call_status get_pool(pool_choice choice, int device, cudaMemPool_t* out) {
  const bool is_default = choice == pool_choice::default_pool;
  return write_handle(find_pool(choice, on_device(device), cudaMemAllocationTypePinned),
                      is_default ? cudaErrorInvalidDevice : cudaErrorInvalidValue, out);
}

call_status get_pool(pool_choice choice, const cudaMemLocation* location,
                     cudaMemAllocationType type, cudaMemPool_t* out) {
  if (location == nullptr) return cudaErrorInvalidValue;
  return write_handle(find_pool(choice, *location, type), cudaErrorInvalidValue, out);
}

call_status set_pool(int device, cudaMemPool_t handle) {
  if (const auto count = device_count(); !count) return count;
  if (!device_exists(device)) return status{errc::invalid_device};
  const cudaMemLocation location = on_device(device);
  return set_pool(&location, cudaMemAllocationTypePinned, handle);
}

call_status set_pool(const cudaMemLocation* location, cudaMemAllocationType type,
                     cudaMemPool_t handle) {
  if (location == nullptr) return cudaErrorInvalidValue;
  const auto key = key_of(*location, type);
  memory_pool* const pool = known_pool(handle);
  if (!key || pool == nullptr || key_of(pool->props.location, pool->props.allocType) != key) {
    return cudaErrorInvalidValue;
  }
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  table.current[*key] = pool;
  return cudaSuccess;
}

call_status allocate_from_pool(cudaMemPool_t handle, cudaStream_t stream, std::size_t bytes,
                               void** out) {
  const auto target = native(stream);
  if (!target) return target;
  return allocate_from(known_pool(handle), *target, bytes, out);
}

call_status allocate_in_stream(cudaStream_t stream, std::size_t bytes, void** out) {
  const auto target = native(stream);
  if (!target) return target;
  const auto device = target->device();
  if (!device) return device;
  memory_pool* const pool = find_pool(pool_choice::current_pool, on_device(ordinal_of(*device)),
                                      cudaMemAllocationTypePinned);
  return allocate_from(pool, *target, bytes, out);
}

call_status free_in_stream(cudaStream_t stream, void* start) {
  const auto target = native(stream);
  if (!target) return target;
  if (start == nullptr) return target->device();
  if (const auto device = target->device(); !device) return device;
  const auto removed = allocations().remove_if(start, [](const allocation& each) {
    return each.pool != nullptr || each.kind == allocation_kind::device;
  });
  if (!removed) return status{errc::not_an_allocation, copy_side::none, {}, start};
  const auto freed = deallocate(*target, start);
  if (!freed) {
    allocations().restore(*removed);
    return freed;
  }
  if (removed->pool != nullptr) return_to_pool(*removed);
  return cudaSuccess;
}

void return_to_pool(const allocation& entry) {
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  entry.pool->remove_used(entry.bytes);
  trim_pending.store(true, std::memory_order_relaxed);
}

call_status trim_pool(cudaMemPool_t handle, std::size_t min_bytes) {
  memory_pool* const pool = known_pool(handle);
  if (pool == nullptr) return cudaErrorInvalidValue;
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  pool->shrink_to(min_bytes);
  return cudaSuccess;
}

call_status set_attribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, const void* value) {
  memory_pool* const pool = known_pool(handle);
  if (pool == nullptr || value == nullptr) return cudaErrorInvalidValue;
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  if (int* const flag = reuse_flag_of(*pool, attribute); flag != nullptr) {
    *flag = *static_cast<const int*>(value) != 0 ? 1 : 0;
    return cudaSuccess;
  }
  const auto number = *static_cast<const std::uint64_t*>(value);
  if (attribute == cudaMemPoolAttrReleaseThreshold) {
    pool->threshold = number;
    trim_pending.store(true, std::memory_order_relaxed);
    return cudaSuccess;
  }
  // High-water marks can only be reset, by writing 0.
  const bool high =
      attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh;
  if (!high || number != 0) return cudaErrorInvalidValue;
  if (attribute == cudaMemPoolAttrReservedMemHigh) pool->reserved_high = pool->reserved;
  if (attribute == cudaMemPoolAttrUsedMemHigh) pool->used_high = pool->used;
  return cudaSuccess;
}

call_status get_attribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  memory_pool* const pool = known_pool(handle);
  if (pool == nullptr || value == nullptr) return cudaErrorInvalidValue;
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  if (const int* const flag = reuse_flag_of(*pool, attribute); flag != nullptr) {
    *static_cast<int*>(value) = *flag;
    return cudaSuccess;
  }
  const std::uint64_t* const counter = counter_of(*pool, attribute);
  if (counter == nullptr) return cudaErrorInvalidValue;
  *static_cast<std::uint64_t*>(value) = *counter;
  return cudaSuccess;
}

call_status set_access(cudaMemPool_t handle, const cudaMemAccessDesc* list, std::size_t count) {
  memory_pool* const pool = known_pool(handle);
  if (pool == nullptr || (list == nullptr && count != 0)) return cudaErrorInvalidValue;
  for (const cudaMemAccessDesc& each : std::span(list, count)) {
    if (each.location.type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
    if (!device_exists(each.location.id)) return cudaErrorInvalidValue;
    const bool own = pool->props.location.type == cudaMemLocationTypeDevice &&
                     each.location.id == pool->props.location.id;
    if (own && each.flags != cudaMemAccessFlagsProtReadWrite) return cudaErrorInvalidDevice;
    if (each.flags == cudaMemAccessFlagsProtRead) return cudaErrorInvalidValue;
  }
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  for (const cudaMemAccessDesc& each : std::span(list, count)) {
    pool->access[each.location.id] = each.flags;
  }
  return cudaSuccess;
}

call_status get_access(cudaMemPool_t handle, const cudaMemLocation* location,
                       cudaMemAccessFlags* flags) {
  memory_pool* const pool = known_pool(handle);
  if (pool == nullptr || location == nullptr || flags == nullptr) return cudaErrorInvalidValue;
  if (location->type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
  if (!device_exists(location->id)) return cudaErrorInvalidValue;
  const cudaMemLocation& own = pool->props.location;
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  const auto given = pool->access.find(location->id);
  *flags = given != pool->access.end() ? given->second : cudaMemAccessFlagsProtNone;
  if (own.type == cudaMemLocationTypeDevice && own.id == location->id) {
    *flags = cudaMemAccessFlagsProtReadWrite;
  }
  return cudaSuccess;
}

call_status export_pool(cudaMemPool_t handle, const void* into, unsigned handle_type,
                        unsigned flags) {
  const memory_pool* const pool = known_pool(handle);
  if (pool == nullptr || into == nullptr || flags != 0) return cudaErrorInvalidValue;
  const auto types = static_cast<unsigned>(pool->props.handleTypes);
  return (types & handle_type) != 0 ? call_status(status{errc::not_supported})
                                    : call_status(cudaErrorInvalidValue);
}

bool has_pool_memory() noexcept { return any_pool_memory.load(std::memory_order_relaxed); }

call_status check_pool_access(device_id from, const pointer_attributes& memory) {
  if (memory.kind != memory_kind::device || memory.device == from) return cudaSuccess;
  const auto entry = allocations().find(memory.base);
  if (!entry || entry->pool == nullptr) return cudaSuccess;
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  const auto given = entry->pool->access.find(ordinal_of(from));
  const bool granted =
      given != entry->pool->access.end() && given->second != cudaMemAccessFlagsProtNone;
  return granted ? call_status(cudaSuccess)
                 : call_status(cudaErrorInvalidValue, {errc::no_peer_access});
}

void reset_pools_of(device_id device) {
  const int ordinal = ordinal_of(device);
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  table.current.erase(ordinal);
  table.current.erase(first_managed_key + ordinal);
  for (memory_pool& each : table.pools) {
    const cudaMemLocation& location = each.props.location;
    if (location.type != cudaMemLocationTypeDevice || location.id != ordinal) continue;
    each.alive = each.is_default;
    each.reset();
  }
}

void trim_pools() noexcept {
  if (!trim_pending.load(std::memory_order_relaxed)) return;
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  trim_pending.store(false, std::memory_order_relaxed);
  for (memory_pool& each : table.pools) each.shrink_to(each.threshold);
}

}  // namespace convoy::cuda
