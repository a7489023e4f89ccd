#include <algorithm>
#include <array>
#include <convoy/device.hpp>
#include <convoy/memory.hpp>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <span>

#include "border.hpp"
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

struct wish {
  void** into;
  std::size_t bytes;
  aclrtMemMallocPolicy policy;
  std::size_t spare;
  const aclrtMallocConfig* config = nullptr;
};

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

outcome allocate_on_device(const wish& w) {
  if (w.into == nullptr || w.bytes == 0) return refused("devPtr is NULL or size is 0");
  if (!is_policy(w.policy)) {
    return failed(ACL_ERROR_RT_INVALID_MALLOC_TYPE, "policy is none of the policies");
  }
  const auto on = device_for(w.config);
  if (!on) return on.why;
  const std::uint32_t page = pages_of(w.policy, w.bytes);
  const auto got = allocate(*on, usable(w.bytes, page == giant_page ? 0 : w.spare));
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

enum class freed { device_memory, host_memory };

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

outcome tell_location(const void* pointer, aclrtPtrAttributes* into) {
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

// Whether every address is in memory of a type that is asked for; only device memory is one here.
outcome check_type(void** addresses, std::uint32_t count, std::uint32_t type, std::uint32_t* into) {
  if (addresses == nullptr || count == 0 || into == nullptr)
    return refused("an argument is NULL or 0");
  const auto now = current_context();
  if (!now) return now.why;
  *into = (type & ACL_RT_MEM_TYPE_DEV) != 0 ? 1 : 0;
  for (std::uint32_t i = 0; i != count; ++i) {
    const auto where = locate(addresses[i]);
    if (!where || where->kind != memory_kind::device) *into = 0;
  }
  return {};
}

outcome tell_range(void* pointer, void** base, std::size_t* bytes) {
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

outcome tell_room(aclrtMemAttr attribute, std::size_t* free, std::size_t* total) {
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

outcome tell_usage(std::int32_t wanted, aclrtMemUsageInfo* into, std::size_t places,
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

// A range that a call names without touching it.
outcome check_known(const void* start, std::size_t bytes) {
  if (start == nullptr || bytes == 0) return refused("the pointer is NULL or the size is 0");
  const auto where = locate(start);
  if (!where) return outcome_of(where.error());
  if (bytes <= where->bytes_left) return {};
  return outcome_of({errc::leaves_allocation, copy_side::none, {}, start});
}

outcome check_managed(const void* start, std::size_t bytes) {
  if (auto known = check_known(start, bytes); !known.ok()) return known;
  if (locate(start)->kind == memory_kind::managed) return {};
  return outcome_of({errc::wrong_location, copy_side::none, {}, start});
}

// A step that makes memory fast or tidy, of which nothing is to be seen here.
template <class Check>
outcome note_in(aclrtStream handle, const Check& check) {
  if (auto known = check(); !known.ok()) return known;
  return own_stream(handle).why;
}

struct prefetch_call {
  const void** starts;
  const std::size_t* sizes;
  std::size_t count;
  const aclrtMemManagedLocation* locations;
  const std::size_t* firsts;
  std::size_t location_count;
  std::uint64_t flags;
};

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
    auto managed = check_managed(p.starts[i], p.sizes[i]);
    if (managed.ok()) continue;
    this_thread().reason.insert(0, "item " + std::to_string(i) + ": ");
    return managed;
  }
  return {};
}

}  // namespace
}  // namespace convoy::ascendcl

using namespace convoy::ascendcl;

aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return answer(__func__, [&] {
    return allocate_on_device({devPtr, size, policy, this_model().of.spare_bytes});
  });
}
aclError aclrtMallocAlign32(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return answer(__func__, [&] { return allocate_on_device({devPtr, size, policy, 0}); });
}
aclError aclrtMallocCached(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  return answer(__func__, [&] {
    return allocate_on_device({devPtr, size, policy, this_model().of.spare_bytes});
  });
}
aclError aclrtMallocWithCfg(void** devPtr, size_t size, aclrtMemMallocPolicy policy,
                            aclrtMallocConfig* cfg) {
  return answer(__func__, [&] {
    return allocate_on_device({devPtr, size, policy, this_model().of.spare_bytes, cfg});
  });
}
aclError aclrtMallocForTaskScheduler(void** devPtr, size_t size, aclrtMemMallocPolicy policy,
                                     aclrtMallocConfig* cfg) {
  return answer(__func__, [&] {
    return allocate_on_device({devPtr, size, policy, this_model().of.spare_bytes, cfg});
  });
}
aclError aclrtFree(void* devPtr) {
  return answer(__func__, [&] { return free_memory(devPtr, freed::device_memory); });
}
aclError aclrtFreeWithDevSync(void* devPtr) {
  return answer(__func__, [&] { return free_after_work(devPtr, freed::device_memory); });
}
aclError aclrtMallocHost(void** hostPtr, size_t size) {
  return answer(__func__, [&] { return allocate_on_host(hostPtr, size, nullptr); });
}
aclError aclrtMallocHostWithCfg(void** ptr, uint64_t size, aclrtMallocConfig* cfg) {
  return answer(__func__, [&] { return allocate_on_host(ptr, size, cfg); });
}
aclError aclrtFreeHost(void* hostPtr) {
  return answer(__func__, [&] { return free_memory(hostPtr, freed::host_memory); });
}
aclError aclrtFreeHostWithDevSync(void* hostPtr) {
  return answer(__func__, [&] { return free_after_work(hostPtr, freed::host_memory); });
}
aclError aclrtPointerGetAttributes(const void* ptr, aclrtPtrAttributes* attributes) {
  return answer(__func__, [&] { return tell_location(ptr, attributes); });
}
aclError aclrtCheckMemType(void** addrList, uint32_t size, uint32_t memType, uint32_t* checkResult,
                           uint32_t reserve) {
  return answer(__func__, [&] {
    if (reserve != 0) return refused("reserve is not 0");
    return check_type(addrList, size, memType, checkResult);
  });
}
aclError aclrtMemFlush(void* devPtr, size_t size) {
  return answer(__func__, [&] { return check_known(devPtr, size); });
}
aclError aclrtMemInvalidate(void* devPtr, size_t size) {
  return answer(__func__, [&] { return check_known(devPtr, size); });
}
aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total) {
  return answer(__func__, [&] { return tell_room(attr, free, total); });
}
aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo* memUsageInfo, size_t inputNum,
                              size_t* outputNum) {
  return answer(__func__, [&] { return tell_usage(deviceId, memUsageInfo, inputNum, outputNum); });
}
aclError aclrtMemGetAddressRange(void* ptr, void** pbase, size_t* psize) {
  return answer(__func__, [&] { return tell_range(ptr, pbase, psize); });
}
aclError aclrtMemAllocManaged(void** ptr, uint64_t size, uint32_t flag) {
  return answer(__func__, [&] { return allocate_for_both(ptr, size, flag); });
}
aclError aclrtMemManagedAdvise(const void* const ptr, uint64_t size, aclrtMemManagedAdviseType,
                               aclrtMemManagedLocation) {
  return answer(__func__, [&] { return check_managed(ptr, size); });
}
aclError aclrtMemManagedPrefetchAsync(const void* ptr, size_t size, aclrtMemManagedLocation,
                                      uint32_t, aclrtStream stream) {
  return answer(__func__,
                [&] { return note_in(stream, [&] { return check_managed(ptr, size); }); });
}
aclError aclrtMemManagedPrefetchBatchAsync(const void** ptrs, size_t* sizes, size_t count,
                                           aclrtMemManagedLocation* prefetchLocs,
                                           size_t* prefetchLocIdxs, size_t numPrefetchLocs,
                                           uint64_t flags, aclrtStream stream) {
  return answer(__func__, [&] {
    return note_in(stream, [&] {
      return check({ptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags});
    });
  });
}
aclError aclrtMemP2PMap(void* devPtr, size_t size, int32_t dstDevId, uint64_t) {
  return answer(__func__, [&] {
    auto known = check_known(devPtr, size);
    return known.ok() ? find_device(dstDevId).why : known;
  });
}
aclError aclrtCmoAsync(void* src, size_t size, aclrtCmoType, aclrtStream stream) {
  return answer(__func__, [&] { return note_in(stream, [&] { return check_known(src, size); }); });
}
aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t arraySize,
                            size_t* retSize) {
  return answer(__func__, [&] {
    if (memUceInfoArray == nullptr || arraySize == 0 || retSize == nullptr) {
      return refused("an argument is NULL or 0");
    }
    *retSize = 0;  // no memory is damaged
    return find_device(deviceId).why;
  });
}
aclError aclrtMemUceRepair(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t) {
  return answer(__func__, [&] {
    if (memUceInfoArray == nullptr) return refused("memUceInfoArray is NULL");
    return find_device(deviceId).why;
  });
}
