#include "calls/pools.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <convoy/device.hpp>
#include <convoy/memory.hpp>
#include <deque>
#include <map>
#include <mutex>

#include "shared/process_lifetime.hpp"
#include "state/context.hpp"

namespace convoy::cuda {

// Guarded by the mutex of the pool table below.
class memory_pool {
 public:
  explicit memory_pool(const cudaMemPoolProps& properties, bool default_pool)
      : props(properties), is_default(default_pool) {}

  void add_used(std::size_t bytes) {
    used += bytes;
    used_high = std::max(used_high, used);
    reserved = std::max(reserved, rounded(used));
    reserved_high = std::max(reserved_high, reserved);
  }
  void remove_used(std::size_t bytes) { used -= std::min(used, bytes); }

  void reset() {
    reuse = {1, 1, 1};
    threshold = 0;
    access.clear();
    shrink_to(0);
    used_high = used;
    reserved_high = reserved;
  }

  // Gives back what is neither in use nor to be kept; true when that was anything.
  bool shrink_to(std::uint64_t min_reserved) {
    const std::uint64_t shrunk = std::max(rounded(used), std::min(reserved, rounded(min_reserved)));
    return std::exchange(reserved, shrunk) != shrunk;
  }

  const cudaMemPoolProps props;
  const bool is_default;
  bool alive = true;
  std::array<int, 3> reuse = {1, 1, 1};
  std::uint64_t threshold = 0;
  std::uint64_t used = 0;
  std::uint64_t used_high = 0;
  std::uint64_t reserved = 0;
  std::uint64_t reserved_high = 0;
  std::map<int, cudaMemAccessFlags> access = {};

 private:
  static constexpr std::uint64_t granularity = 32 << 20;
  static std::uint64_t rounded(std::uint64_t bytes) {
    return bytes > UINT64_MAX - granularity ? UINT64_MAX
                                            : (bytes + granularity - 1) / granularity * granularity;
  }
};

namespace {

using compat::process_object;

// Where a pool's memory is, as a number to look pools up by: devices count from 0.
enum class pool_key : int { host = -1, host_managed = -2 };
constexpr int first_managed_key = 1000;

struct pool_table {
  std::mutex mutex;
  std::deque<memory_pool> pools;
  std::map<int, memory_pool*> defaults;
  std::map<int, memory_pool*> current;
};

// Set when an allocation leaves its pool, so that waiting for a stream need not look otherwise.
std::atomic<bool> trim_pending = false;

bool has_device(int number) {
  const auto count = device_count();
  return count && number >= 0 && number < *count;
}

// Places that can have a pool, each with its own key.
std::optional<int> key_of(const cudaMemLocation& location, cudaMemAllocationType type) {
  const bool managed = type == cudaMemAllocationTypeManaged;
  if (type != cudaMemAllocationTypePinned && !managed) return {};
  switch (location.type) {
    case cudaMemLocationTypeDevice:
      if (!has_device(location.id)) return {};
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

memory_pool* default_pool_of(pool_table& table, int key, const cudaMemPoolProps& props) {
  memory_pool*& known = table.defaults[key];
  if (known == nullptr) known = &table.pools.emplace_back(props, true);
  return known;
}

result<void*> allocate_backing(const memory_pool& pool, std::size_t bytes) {
  if (pool.props.allocType == cudaMemAllocationTypeManaged) return allocate_managed(bytes);
  if (pool.props.location.type != cudaMemLocationTypeDevice) return allocate_pinned(bytes);
  return allocate(device_id{pool.props.location.id}, bytes);
}

allocation_kind kind_of(const memory_pool& pool) {
  if (pool.props.allocType == cudaMemAllocationTypeManaged) return allocation_kind::managed;
  const bool on_device = pool.props.location.type == cudaMemLocationTypeDevice;
  return on_device ? allocation_kind::device : allocation_kind::pinned;
}

// Books the bytes, unless that is more than the pool may ever hold.
bool charge_pool(memory_pool& pool, std::size_t bytes) {
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  const std::size_t max_bytes = pool.props.maxSize == 0 ? SIZE_MAX : pool.props.maxSize;
  if (bytes > max_bytes || pool.used > max_bytes - bytes) return false;
  pool.add_used(bytes);
  return true;
}

// The figures of a pool that are 64 bits wide.
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

}  // namespace

memory_pool* known_pool(const void* handle) {
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  const auto found = std::find_if(table.pools.begin(), table.pools.end(),
                                  [&](const memory_pool& each) { return &each == handle; });
  return found != table.pools.end() && found->alive ? &*found : nullptr;
}

call_status make_pool(const cudaMemPoolProps& props, memory_pool** made) {
  if (made == nullptr || !key_of(props.location, props.allocType)) return cudaErrorInvalidValue;
  if (props.handleTypes != cudaMemHandleTypeNone) return status{errc::not_supported};
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  *made = &table.pools.emplace_back(props, false);
  return cudaSuccess;
}

call_status destroy_pool(memory_pool* pool) {
  if (pool == nullptr || pool->is_default) return cudaErrorInvalidValue;
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  pool->alive = false;
  std::erase_if(table.current, [&](const auto& each) { return each.second == pool; });
  return cudaSuccess;
}

memory_pool* default_pool(const cudaMemLocation& location, cudaMemAllocationType type) {
  const auto key = key_of(location, type);
  if (!key) return nullptr;
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  return default_pool_of(table, *key, default_props(location, type));
}

memory_pool* current_pool(const cudaMemLocation& location, cudaMemAllocationType type) {
  const auto key = key_of(location, type);
  if (!key) return nullptr;
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  const auto set = table.current.find(*key);
  if (set != table.current.end()) return set->second;
  return default_pool_of(table, *key, default_props(location, type));
}

call_status set_current_pool(const cudaMemLocation& location, cudaMemAllocationType type,
                             memory_pool* pool) {
  const auto key = key_of(location, type);
  if (!key || pool == nullptr || key_of(pool->props.location, pool->props.allocType) != key) {
    return cudaErrorInvalidValue;
  }
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  table.current[*key] = pool;
  return cudaSuccess;
}

call_status allocate_from_pool(memory_pool* pool, stream_ref stream, std::size_t bytes,
                               void** out) {
  if (pool == nullptr || out == nullptr) return cudaErrorInvalidValue;
  const auto stream_device = stream.device();
  if (!stream_device) return stream_device;
  if (bytes == 0) {
    *out = nullptr;
    return cudaSuccess;
  }
  if (!charge_pool(*pool, bytes)) return cudaErrorMemoryAllocation;
  const auto made = allocate_backing(*pool, bytes);
  if (!made) {
    return_to_pool({.bytes = bytes, .pool = pool});
    return made;
  }
  const bool on_device = pool->props.location.type == cudaMemLocationTypeDevice;
  const device_id device = on_device ? device_id{pool->props.location.id} : *stream_device;
  allocations().add({.start = *made,
                     .bytes = bytes,
                     .kind = kind_of(*pool),
                     .device = device,
                     .pool = pool,
                     .owner = primary_of(device)});
  *out = *made;
  return cudaSuccess;
}

call_status allocate_in_stream(stream_ref stream, std::size_t bytes, void** out) {
  const auto device = stream.device();
  if (!device) return device;
  const cudaMemLocation location{cudaMemLocationTypeDevice, number(*device)};
  return allocate_from_pool(current_pool(location, cudaMemAllocationTypePinned), stream, bytes,
                            out);
}

call_status free_in_stream(stream_ref stream, void* start) {
  if (start == nullptr) return stream.device();
  const auto located = locate(start);
  const auto entry = allocations().find(start);
  const bool freeable = located && located->base == start && entry &&
                        (entry->pool != nullptr || entry->kind == allocation_kind::device);
  if (!freeable) return status{errc::not_an_allocation, copy_side::none, {}, start};
  const auto freed = deallocate(stream, start);
  if (!freed) return freed;
  if (const auto gone = allocations().remove(start); gone && gone->pool != nullptr) {
    return_to_pool(*gone);
  }
  return cudaSuccess;
}

void return_to_pool(const allocation& entry) {
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  entry.pool->remove_used(entry.bytes);
  trim_pending.store(true, std::memory_order_relaxed);
}

call_status trim_pool(memory_pool* pool, std::size_t min_bytes) {
  if (pool == nullptr) return cudaErrorInvalidValue;
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  pool->shrink_to(min_bytes);
  return cudaSuccess;
}

call_status set_attribute(memory_pool* pool, cudaMemPoolAttr attribute, const void* value) {
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
  // The highest figures can only begin anew.
  const bool high =
      attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh;
  if (!high || number != 0) return cudaErrorInvalidValue;
  if (attribute == cudaMemPoolAttrReservedMemHigh) pool->reserved_high = pool->reserved;
  if (attribute == cudaMemPoolAttrUsedMemHigh) pool->used_high = pool->used;
  return cudaSuccess;
}

call_status get_attribute(memory_pool* pool, cudaMemPoolAttr attribute, void* value) {
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

call_status set_access(memory_pool* pool, const cudaMemAccessDesc* list, std::size_t count) {
  if (pool == nullptr || (list == nullptr && count != 0)) return cudaErrorInvalidValue;
  for (const cudaMemAccessDesc& each : std::span(list, count)) {
    if (each.location.type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
    if (!has_device(each.location.id)) return cudaErrorInvalidDevice;
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

call_status get_access(memory_pool* pool, const cudaMemLocation& location,
                       cudaMemAccessFlags* flags) {
  if (pool == nullptr || flags == nullptr) return cudaErrorInvalidValue;
  if (location.type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
  if (!has_device(location.id)) return cudaErrorInvalidDevice;
  const cudaMemLocation& own = pool->props.location;
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  const auto given = pool->access.find(location.id);
  *flags = given != pool->access.end() ? given->second : cudaMemAccessFlagsProtNone;
  if (own.type == cudaMemLocationTypeDevice && own.id == location.id) {
    *flags = cudaMemAccessFlagsProtReadWrite;
  }
  return cudaSuccess;
}

void reset_pools_of(device_id device) {
  auto& table = process_object<pool_table>();
  const std::lock_guard held(table.mutex);
  table.current.erase(number(device));
  table.current.erase(first_managed_key + number(device));
  for (memory_pool& each : table.pools) {
    const cudaMemLocation& location = each.props.location;
    if (location.type != cudaMemLocationTypeDevice || location.id != number(device)) continue;
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
