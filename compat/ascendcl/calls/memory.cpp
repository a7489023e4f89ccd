#include "calls/memory.hpp"

#include <algorithm>
#include <convoy/device.hpp>
#include <convoy/memory.hpp>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>

#include "state/devices.hpp"
#include "state/models.hpp"
#include "state/streams.hpp"

namespace convoy::ascendcl {
namespace {

constexpr std::uint32_t normal_page = 4096;
constexpr std::uint32_t huge_page = 2U << 20;
constexpr std::uint32_t giant_page = 1U << 30;
constexpr std::size_t most_on_normal_pages = std::size_t{1} << 20;

// The page sizes that programs asked for, by the start of the allocation.
class page_sizes {
 public:
  static page_sizes& only() {
    static auto* const made = new page_sizes;
    return *made;
  }
  void set(const void* start, std::uint32_t bytes) {
    const std::lock_guard held(mutex_);
    by_start_[start] = bytes;
  }
  void forget(const void* start) {
    const std::lock_guard held(mutex_);
    by_start_.erase(start);
  }
  std::uint32_t of(const void* start) {
    const std::lock_guard held(mutex_);
    const auto at = by_start_.find(start);
    return at == by_start_.end() ? normal_page : at->second;
  }

 private:
  std::mutex mutex_;
  std::map<const void*, std::uint32_t> by_start_;
};

std::uint32_t pages_of(aclrtMemMallocPolicy policy, std::size_t bytes) {
  switch (policy & 0xFF) {
    case ACL_MEM_MALLOC_HUGE_FIRST:
    case ACL_MEM_MALLOC_HUGE_FIRST_P2P:
      return bytes > most_on_normal_pages ? huge_page : normal_page;
    case ACL_MEM_MALLOC_HUGE_ONLY:
    case ACL_MEM_MALLOC_HUGE_ONLY_P2P: return huge_page;
    case ACL_MEM_MALLOC_HUGE1G_ONLY:
    case ACL_MEM_MALLOC_HUGE1G_ONLY_P2P: return giant_page;
    default: return normal_page;
  }
}

bool is_policy(aclrtMemMallocPolicy policy) {
  constexpr int kinds = ACL_MEM_TYPE_LOW_BAND_WIDTH | ACL_MEM_TYPE_HIGH_BAND_WIDTH |
                        ACL_MEM_ACCESS_USER_SPACE_READONLY;
  const int base = policy & ~kinds;
  return base >= ACL_MEM_MALLOC_HUGE_FIRST && base <= ACL_MEM_MALLOC_HUGE1G_ONLY_P2P;
}

// What a program may use of an allocation: all of its last 32 bytes, and perhaps some more.
std::size_t usable(std::size_t bytes, std::size_t spare) {
  constexpr std::size_t unit = 32;
  if (bytes > SIZE_MAX - 2 * unit) return SIZE_MAX;
  return (bytes + unit - 1) / unit * unit + spare;
}

std::size_t spare_bytes(spare behind) {
  return behind == spare::as_model ? this_model().of.spare_bytes : 0;
}

// The device an allocation goes to: the current one unless the configuration names another.
found<device_id> device_for(const aclrtMallocConfig* config) {
  const auto now = current_context();
  if (!now) return none<device_id>(now.why);
  found<device_id> on{(*now)->device};
  if (config == nullptr) return on;
  if (config->numAttrs != 0 && config->attrs == nullptr)
    return none<device_id>(refused("attrs is NULL"));
  for (std::size_t i = 0; i != config->numAttrs; ++i) {
    const aclrtMallocAttribute& each = config->attrs[i];
    if (each.attr < ACL_RT_MEM_ATTR_MODULE_ID || each.attr > ACL_RT_MEM_ATTR_VA_FLAG) {
      return none<device_id>(
          failed(ACL_ERROR_RT_PARAM_INVALID, "an attribute is none that there is"));
    }
    if (each.attr == ACL_RT_MEM_ATTR_DEVICE_ID) on = find_device(each.value.deviceId);
    if (!on) return on;
  }
  return on;
}

// The first at item 0, each further on, and the last before the end.
bool locations_cover(const prefetch_call& p) {
  const std::span<const std::size_t> firsts(p.firsts, p.location_count);
  if (firsts.empty() || firsts.front() != 0 || firsts.back() >= p.count) return false;
  return std::ranges::adjacent_find(firsts, std::ranges::greater_equal()) == firsts.end();
}

outcome check(const prefetch_call& p) {
  const bool whole = p.starts != nullptr && p.sizes != nullptr && p.locations != nullptr &&
                     p.firsts != nullptr && p.count != 0;
  if (!whole) return refused("one of the arrays is NULL, or count is 0");
  if (p.flags != 0) return failed(ACL_ERROR_RT_PARAM_INVALID, "flags is not 0");
  if (!locations_cover(p)) {
    return failed(ACL_ERROR_RT_PARAM_INVALID,
                  "prefetchLocIdxs does not start at 0, rise and end before count");
  }
  for (std::size_t i = 0; i != p.count; ++i) {
    auto managed = check_managed_memory(p.starts[i], p.sizes[i]);
    if (managed.ok()) continue;
    this_thread().reason.insert(0, "item " + std::to_string(i) + ": ");
    return managed;
  }
  return {};
}

}  // namespace

outcome allocate_on_device(const wish& w) {
  if (w.into == nullptr || w.bytes == 0) return refused("devPtr is NULL or size is 0");
  if (!is_policy(w.policy)) {
    return failed(ACL_ERROR_RT_INVALID_MALLOC_TYPE, "policy is none of the policies");
  }
  const auto on = device_for(w.config);
  if (!on) return on.why;
  const std::uint32_t page = pages_of(w.policy, w.bytes);
  const auto got = allocate(*on, usable(w.bytes, page == giant_page ? 0 : spare_bytes(w.behind)));
  if (!got) return outcome_of(got.error());
  if (page != normal_page) page_sizes::only().set(*got, page);
  *w.into = *got;
  return {};
}

outcome allocate_on_host(void** into, std::uint64_t bytes, const aclrtMallocConfig* config) {
  if (into == nullptr || bytes == 0) return refused("hostPtr is NULL or size is 0");
  const auto now = device_for(config);
  if (!now) return now.why;
  const auto got = allocate_pinned(bytes);
  if (!got) return outcome_of(got.error());
  *into = *got;
  return {};
}

outcome allocate_for_both(void** into, std::uint64_t bytes, std::uint32_t flag) {
  if (into == nullptr || bytes == 0) return refused("ptr is NULL or size is 0");
  if (flag != ACL_RT_MEM_ATTACH_GLOBAL) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "flag is not ACL_RT_MEM_ATTACH_GLOBAL");
  }
  const auto got = allocate_managed(bytes);
  if (!got) return outcome_of(got.error());
  *into = *got;
  return {};
}

outcome free_memory(void* start, freed what) {
  if (start == nullptr) return refused("the pointer is NULL");
  const auto where = locate(start);
  if (!where) return outcome_of(where.error());
  const bool pinned = where->kind == memory_kind::pinned;
  const bool fits = what == freed::host_memory
                        ? pinned
                        : where->kind == memory_kind::device || where->kind == memory_kind::managed;
  if (!fits) {
    return outcome_of({errc::not_an_allocation, copy_side::none, {}, start});
  }
  page_sizes::only().forget(start);
  return outcome_of(deallocate(start));
}

outcome free_after_work(void* start, freed what) {
  if (start == nullptr) return refused("the pointer is NULL");
  const auto now = current_context();
  if (!now) return now.why;
  static_cast<void>(device((*now)->device).synchronize());
  return free_memory(start, what);
}

outcome get_pointer_attributes(const void* pointer, aclrtPtrAttributes* into) {
  if (pointer == nullptr || into == nullptr) return refused("ptr or attributes is NULL");
  const auto where = locate(pointer);
  if (!where) return outcome_of(where.error());
  *into = {};
  into->pageSize = normal_page;
  switch (where->kind) {
    case memory_kind::pageable: into->location.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED; break;
    case memory_kind::pinned:
    case memory_kind::registered: into->location.type = ACL_MEM_LOCATION_TYPE_HOST; break;
    case memory_kind::managed: into->location.type = ACL_MEM_LOCATION_TYPE_MANAGED; break;
    case memory_kind::device:
      into->location = {static_cast<std::uint32_t>(number(where->device)),
                        ACL_MEM_LOCATION_TYPE_DEVICE};
      into->pageSize = page_sizes::only().of(where->base);
      break;
  }
  return {};
}

outcome check_memory_type(const type_question& asked) {
  if (asked.reserve != 0) return refused("reserve is not 0");
  if (asked.addresses == nullptr || asked.count == 0 || asked.into == nullptr)
    return refused("an argument is NULL or 0");
  const auto now = current_context();
  if (!now) return now.why;
  *asked.into = (asked.types & ACL_RT_MEM_TYPE_DEV) != 0 ? 1 : 0;
  for (const void* const each : std::span(asked.addresses, asked.count)) {
    const auto where = locate(each);
    if (!where || where->kind != memory_kind::device) *asked.into = 0;
  }
  return {};
}

outcome get_address_range(void* pointer, void** base, std::size_t* bytes) {
  if (pointer == nullptr || (base == nullptr && bytes == nullptr))
    return refused("an argument is NULL");
  const auto where = locate(pointer);
  if (!where) return outcome_of(where.error());
  if (where->base == nullptr) {
    return outcome_of({errc::not_an_allocation, copy_side::none, {}, pointer});
  }
  if (base != nullptr) *base = where->base;
  if (bytes != nullptr) *bytes = where->size;
  return {};
}

outcome get_memory_size(aclrtMemAttr attribute, std::size_t* free, std::size_t* total) {
  if (free == nullptr || total == nullptr) return refused("free or total is NULL");
  if (attribute < ACL_DDR_MEM || attribute > ACL_MEM_P2P_HUGE1G) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "attr is none of the kinds of memory");
  }
  const auto now = current_context();
  if (!now) return now.why;
  const auto room = memory_stats_of((*now)->device);
  if (!room) return outcome_of(room.error());
  *free = room->free;
  *total = room->total;
  return {};
}

outcome get_memory_usage(std::int32_t wanted, aclrtMemUsageInfo* into, std::size_t places,
                         std::size_t* count) {
  if (into == nullptr || places == 0 || count == nullptr)
    return refused("an argument is NULL or 0");
  const auto on = find_device(wanted);
  if (!on) return on.why;
  const auto room = memory_stats_of(*on);
  if (!room) return outcome_of(room.error());
  *into = {};
  std::memcpy(into->name, "APP", 4);
  into->curMemSize = into->memPeakSize = room->total - room->free;
  *count = 1;
  return {};
}

outcome check_known_memory(const void* start, std::size_t bytes) {
  if (start == nullptr || bytes == 0) return refused("the pointer is NULL or the size is 0");
  const auto where = locate(start);
  if (!where) return outcome_of(where.error());
  if (bytes <= where->bytes_left) return {};
  return outcome_of({errc::leaves_allocation, copy_side::none, {}, start});
}

outcome check_managed_memory(const void* start, std::size_t bytes) {
  if (auto known = check_known_memory(start, bytes); !known.ok()) return known;
  if (locate(start)->kind == memory_kind::managed) return {};
  return outcome_of({errc::wrong_location, copy_side::none, {}, start});
}

outcome register_mapped(void* start, std::uint64_t bytes, aclrtHostRegisterType type, void** into) {
  constexpr unsigned known = ACL_HOST_REGISTER_IOMEMORY | ACL_HOST_REGISTER_READONLY;
  if (start == nullptr || bytes == 0 || into == nullptr) return refused("an argument is NULL or 0");
  if ((static_cast<unsigned>(type) & ~known) != 0) return unsupported("type is none of the types");
  if (reinterpret_cast<std::uintptr_t>(start) % normal_page != 0) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "ptr is no multiple of 4096");
  }
  auto pinned = outcome_of(pin(start, bytes));
  if (pinned.ok()) *into = start;
  return pinned;
}

outcome register_flagged(void* start, std::uint64_t bytes, std::uint32_t flag) {
  constexpr std::uint32_t known =
      ACL_HOST_REG_MAPPED | ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY | ACL_HOST_REG_PINNED;
  if (start == nullptr || bytes == 0) return refused("ptr is NULL or size is 0");
  if (flag == 0 || (flag & ~known) != 0) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "flag is empty or has bits that mean nothing");
  }
  return outcome_of(pin(start, bytes));
}

outcome unregister_host_memory(void* start) {
  if (start == nullptr) return refused("ptr is NULL");
  return outcome_of(unpin(start));
}

outcome get_device_address(void* start, void** into, std::uint32_t flag) {
  if (start == nullptr || into == nullptr) return refused("pHost or pDevice is NULL");
  if (flag != 0) return refused("flag is not 0");
  const auto where = locate(start);
  if (!where) return outcome_of(where.error());
  const bool known = where->kind == memory_kind::registered || where->kind == memory_kind::pinned;
  if (!known) return failed(ACL_ERROR_RT_PARAM_INVALID, "the host memory is not registered");
  *into = start;
  return {};
}

outcome map_for_peer(const void* start, std::size_t bytes, std::int32_t device) {
  auto known = check_known_memory(start, bytes);
  return known.ok() ? find_device(device).why : known;
}

outcome maintain_cache(const void* start, std::size_t bytes, aclrtStream handle) {
  auto known = check_known_memory(start, bytes);
  return known.ok() ? own_stream(handle).why : known;
}

outcome prefetch(const void* start, std::size_t bytes, aclrtStream handle) {
  auto known = check_managed_memory(start, bytes);
  return known.ok() ? own_stream(handle).why : known;
}

outcome prefetch_batch(const prefetch_call& p, aclrtStream handle) {
  auto sound = check(p);
  return sound.ok() ? own_stream(handle).why : sound;
}

outcome get_mapping_capability(std::uint32_t device, aclrtHostMemMapCapability* into) {
  if (into == nullptr) return refused("capabilities is NULL");
  *into = 1;  // everything here sees host memory
  return find_device(device).why;
}

outcome get_damaged_memory(std::int32_t device, const aclrtMemUceInfo* into, std::size_t places,
                           std::size_t* count) {
  if (into == nullptr || places == 0 || count == nullptr)
    return refused("an argument is NULL or 0");
  *count = 0;  // no memory is damaged
  return find_device(device).why;
}

outcome repair_memory(std::int32_t device, const aclrtMemUceInfo* damaged) {
  if (damaged == nullptr) return refused("memUceInfoArray is NULL");
  return find_device(device).why;
}

}  // namespace convoy::ascendcl
