#include "calls/pools.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <convoy/device.hpp>
#include <convoy/memory.hpp>
#include <deque>
#include <map>
#include <mutex>

#include "state/context.hpp"

namespace convoy::cuda {

// Guarded by the mutex of the books below.
class memory_pool {
 public:
  explicit memory_pool(const cudaMemPoolProps& how, bool is_default)
      : props(how), standing(is_default) {}

  void enter(std::size_t bytes) {
    used += bytes;
    used_high = std::max(used_high, used);
    reserved = std::max(reserved, rounded(used));
    reserved_high = std::max(reserved_high, reserved);
  }
  void leave(std::size_t bytes) { used -= std::min(used, bytes); }

  void begin_anew() {
    reuse = {1, 1, 1};
    threshold = 0;
    access.clear();
    shrink(0);
    used_high = used;
    reserved_high = reserved;
  }

  // Gives back what is neither in use nor to be kept; true when that was anything.
  bool shrink(std::uint64_t keep) {
    const std::uint64_t wanted = std::max(rounded(used), std::min(reserved, rounded(keep)));
    return std::exchange(reserved, wanted) != wanted;
  }

  const cudaMemPoolProps props;
  const bool standing;  // a default pool
  bool alive = true;
  std::array<int, 3> reuse = {1, 1, 1};
  std::uint64_t threshold = 0;
  std::uint64_t used = 0;
  std::uint64_t used_high = 0;
  std::uint64_t reserved = 0;
  std::uint64_t reserved_high = 0;
  std::map<int, cudaMemAccessFlags> access = {};

 private:
  static constexpr std::uint64_t step = 32 << 20;
  static std::uint64_t rounded(std::uint64_t bytes) {
    return bytes > UINT64_MAX - step ? UINT64_MAX : (bytes + step - 1) / step * step;
  }
};

namespace {

// Where a pool's memory is, as a number to look pools up by: devices count from 0.
enum class pool_place : int { host = -1, host_managed = -2, nowhere = -3 };
constexpr int managed_from = 1000;

struct books {
  std::mutex mutex;
  std::deque<memory_pool> pools;
  std::map<int, memory_pool*> defaults;
  std::map<int, memory_pool*> chosen;

  static books& get() {
    static auto* const only = new books;
    return *only;
  }
};

// Set when an allocation leaves its pool, so that waiting for a stream need not look otherwise.
std::atomic<bool> something_idle = false;

bool has_device(int number) {
  const auto count = device_count();
  return count && number >= 0 && number < *count;
}

// Places that can have a pool, each with its own key.
std::optional<int> key_of(const cudaMemLocation& place, cudaMemAllocationType type) {
  const bool managed = type == cudaMemAllocationTypeManaged;
  if (type != cudaMemAllocationTypePinned && !managed) return {};
  switch (place.type) {
    case cudaMemLocationTypeDevice:
      if (!has_device(place.id)) return {};
      return managed ? managed_from + place.id : place.id;
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNuma:
    case cudaMemLocationTypeHostNumaCurrent:
      return static_cast<int>(managed ? pool_place::host_managed : pool_place::host);
    case cudaMemLocationTypeNone: break;
  }
  if (managed) return static_cast<int>(pool_place::host_managed);
  return {};
}

cudaMemPoolProps plain_props(const cudaMemLocation& place, cudaMemAllocationType type) {
  cudaMemPoolProps made = {};
  made.allocType = type;
  made.location = place;
  return made;
}

memory_pool* default_of(books& all, int key, const cudaMemPoolProps& how) {
  memory_pool*& known = all.defaults[key];
  if (known == nullptr) known = &all.pools.emplace_back(how, true);
  return known;
}

result<void*> allocate_of(const memory_pool& pool, std::size_t bytes) {
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
bool enter_pool(memory_pool& pool, std::size_t bytes) {
  books& all = books::get();
  const std::lock_guard held(all.mutex);
  const std::size_t most = pool.props.maxSize == 0 ? SIZE_MAX : pool.props.maxSize;
  if (bytes > most || pool.used > most - bytes) return false;
  pool.enter(bytes);
  return true;
}

// The figures of a pool that are 64 bits wide.
std::uint64_t* figure_of(memory_pool& pool, cudaMemPoolAttr which) {
  switch (which) {
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

int* switch_of(memory_pool& pool, cudaMemPoolAttr which) {
  const auto index = static_cast<unsigned>(which) - 1U;
  return index < pool.reuse.size() ? &pool.reuse[index] : nullptr;
}

}  // namespace

memory_pool* known_pool(const void* handle) {
  books& all = books::get();
  const std::lock_guard held(all.mutex);
  const auto found = std::find_if(all.pools.begin(), all.pools.end(),
                                  [&](const memory_pool& each) { return &each == handle; });
  return found != all.pools.end() && found->alive ? &*found : nullptr;
}

outcome make_pool(const cudaMemPoolProps& how, memory_pool** made) {
  if (made == nullptr || !key_of(how.location, how.allocType)) return cudaErrorInvalidValue;
  if (how.handleTypes != cudaMemHandleTypeNone) return status{errc::not_supported};
  books& all = books::get();
  const std::lock_guard held(all.mutex);
  *made = &all.pools.emplace_back(how, false);
  return cudaSuccess;
}

outcome destroy_pool(memory_pool* pool) {
  if (pool == nullptr || pool->standing) return cudaErrorInvalidValue;
  books& all = books::get();
  const std::lock_guard held(all.mutex);
  pool->alive = false;
  std::erase_if(all.chosen, [&](const auto& each) { return each.second == pool; });
  return cudaSuccess;
}

memory_pool* default_pool(const cudaMemLocation& place, cudaMemAllocationType type) {
  const auto key = key_of(place, type);
  if (!key) return nullptr;
  books& all = books::get();
  const std::lock_guard held(all.mutex);
  return default_of(all, *key, plain_props(place, type));
}

memory_pool* current_pool(const cudaMemLocation& place, cudaMemAllocationType type) {
  const auto key = key_of(place, type);
  if (!key) return nullptr;
  books& all = books::get();
  const std::lock_guard held(all.mutex);
  const auto chosen = all.chosen.find(*key);
  if (chosen != all.chosen.end()) return chosen->second;
  return default_of(all, *key, plain_props(place, type));
}

outcome choose_pool(const cudaMemLocation& place, cudaMemAllocationType type, memory_pool* pool) {
  const auto key = key_of(place, type);
  if (!key || pool == nullptr || key_of(pool->props.location, pool->props.allocType) != key) {
    return cudaErrorInvalidValue;
  }
  books& all = books::get();
  const std::lock_guard held(all.mutex);
  all.chosen[*key] = pool;
  return cudaSuccess;
}

outcome allocate_from(memory_pool* pool, stream_ref stream, std::size_t bytes, void** got) {
  if (pool == nullptr || got == nullptr) return cudaErrorInvalidValue;
  const auto on = stream.device();
  if (!on) return on;
  if (bytes == 0) {
    *got = nullptr;
    return cudaSuccess;
  }
  if (!enter_pool(*pool, bytes)) return cudaErrorMemoryAllocation;
  const auto made = allocate_of(*pool, bytes);
  if (!made) {
    leave_pool({.bytes = bytes, .pool = pool});
    return made;
  }
  const bool on_device = pool->props.location.type == cudaMemLocationTypeDevice;
  const device_id device = on_device ? device_id{pool->props.location.id} : *on;
  note({.start = *made,
        .bytes = bytes,
        .kind = kind_of(*pool),
        .device = device,
        .pool = pool,
        .owner = primary_of(device)});
  *got = *made;
  return cudaSuccess;
}

outcome allocate_in(stream_ref stream, std::size_t bytes, void** got) {
  const auto on = stream.device();
  if (!on) return on;
  const cudaMemLocation place{cudaMemLocationTypeDevice, number(*on)};
  return allocate_from(current_pool(place, cudaMemAllocationTypePinned), stream, bytes, got);
}

outcome free_in(stream_ref stream, void* start) {
  if (start == nullptr) return stream.device();
  const auto where = locate(start);
  const auto known = note_of(start);
  const bool freeable = where && where->base == start && known &&
                        (known->pool != nullptr || known->kind == allocation_kind::device);
  if (!freeable) return status{errc::not_an_allocation, copy_side::none, {}, start};
  const auto at = deallocate(stream, start);
  if (!at) return at;
  if (const auto gone = forget(start); gone && gone->pool != nullptr) leave_pool(*gone);
  return cudaSuccess;
}

void leave_pool(const allocation& gone) {
  books& all = books::get();
  const std::lock_guard held(all.mutex);
  gone.pool->leave(gone.bytes);
  something_idle.store(true, std::memory_order_relaxed);
}

outcome trim_pool(memory_pool* pool, std::size_t keep) {
  if (pool == nullptr) return cudaErrorInvalidValue;
  books& all = books::get();
  const std::lock_guard held(all.mutex);
  pool->shrink(keep);
  return cudaSuccess;
}

outcome set_attribute(memory_pool* pool, cudaMemPoolAttr which, const void* value) {
  if (pool == nullptr || value == nullptr) return cudaErrorInvalidValue;
  books& all = books::get();
  const std::lock_guard held(all.mutex);
  if (int* const yes_or_no = switch_of(*pool, which); yes_or_no != nullptr) {
    *yes_or_no = *static_cast<const int*>(value) != 0 ? 1 : 0;
    return cudaSuccess;
  }
  const auto number = *static_cast<const std::uint64_t*>(value);
  if (which == cudaMemPoolAttrReleaseThreshold) {
    pool->threshold = number;
    something_idle.store(true, std::memory_order_relaxed);
    return cudaSuccess;
  }
  // The highest figures can only begin anew.
  const bool high = which == cudaMemPoolAttrReservedMemHigh || which == cudaMemPoolAttrUsedMemHigh;
  if (!high || number != 0) return cudaErrorInvalidValue;
  if (which == cudaMemPoolAttrReservedMemHigh) pool->reserved_high = pool->reserved;
  if (which == cudaMemPoolAttrUsedMemHigh) pool->used_high = pool->used;
  return cudaSuccess;
}

outcome get_attribute(memory_pool* pool, cudaMemPoolAttr which, void* value) {
  if (pool == nullptr || value == nullptr) return cudaErrorInvalidValue;
  books& all = books::get();
  const std::lock_guard held(all.mutex);
  if (const int* const yes_or_no = switch_of(*pool, which); yes_or_no != nullptr) {
    *static_cast<int*>(value) = *yes_or_no;
    return cudaSuccess;
  }
  const std::uint64_t* const figure = figure_of(*pool, which);
  if (figure == nullptr) return cudaErrorInvalidValue;
  *static_cast<std::uint64_t*>(value) = *figure;
  return cudaSuccess;
}

outcome set_access(memory_pool* pool, const cudaMemAccessDesc* list, std::size_t count) {
  if (pool == nullptr || (list == nullptr && count != 0)) return cudaErrorInvalidValue;
  for (const cudaMemAccessDesc& each : std::span(list, count)) {
    if (each.location.type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
    if (!has_device(each.location.id)) return cudaErrorInvalidDevice;
    const bool own = pool->props.location.type == cudaMemLocationTypeDevice &&
                     each.location.id == pool->props.location.id;
    if (own && each.flags != cudaMemAccessFlagsProtReadWrite) return cudaErrorInvalidDevice;
    if (each.flags == cudaMemAccessFlagsProtRead) return cudaErrorInvalidValue;
  }
  books& all = books::get();
  const std::lock_guard held(all.mutex);
  for (const cudaMemAccessDesc& each : std::span(list, count)) {
    pool->access[each.location.id] = each.flags;
  }
  return cudaSuccess;
}

outcome get_access(memory_pool* pool, const cudaMemLocation& place, cudaMemAccessFlags* flags) {
  if (pool == nullptr || flags == nullptr) return cudaErrorInvalidValue;
  if (place.type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
  if (!has_device(place.id)) return cudaErrorInvalidDevice;
  const cudaMemLocation& own = pool->props.location;
  books& all = books::get();
  const std::lock_guard held(all.mutex);
  const auto given = pool->access.find(place.id);
  *flags = given != pool->access.end() ? given->second : cudaMemAccessFlagsProtNone;
  if (own.type == cudaMemLocationTypeDevice && own.id == place.id) {
    *flags = cudaMemAccessFlagsProtReadWrite;
  }
  return cudaSuccess;
}

void reset_pools_of(device_id device) {
  books& all = books::get();
  const std::lock_guard held(all.mutex);
  all.chosen.erase(number(device));
  all.chosen.erase(managed_from + number(device));
  for (memory_pool& each : all.pools) {
    const cudaMemLocation& place = each.props.location;
    if (place.type != cudaMemLocationTypeDevice || place.id != number(device)) continue;
    each.alive = each.standing;
    each.begin_anew();
  }
}

void release_idle_memory() noexcept {
  if (!something_idle.load(std::memory_order_relaxed)) return;
  books& all = books::get();
  const std::lock_guard held(all.mutex);
  something_idle.store(false, std::memory_order_relaxed);
  for (memory_pool& each : all.pools) each.shrink(each.threshold);
}

}  // namespace convoy::cuda
