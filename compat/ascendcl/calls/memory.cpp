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

#include "shared/process_lifetime.hpp"
#include "state/devices.hpp"
#include "state/soc.hpp"
#include "state/streams.hpp"
#include "state/visible_devices.hpp"

namespace convoy::ascendcl {
namespace {

constexpr std::uint32_t page_4k = 4096;

pin_access access_of(bool read_only) {
  return read_only ? pin_access::read_only : pin_access::read_write;
}

constexpr std::uint32_t page_2m = 2U << 20;
constexpr std::uint32_t page_1g = 1U << 30;
constexpr std::size_t max_bytes_on_4k_pages = std::size_t{1} << 20;

// Page sizes other than 4 KiB that programs asked for, by the start of the allocation.
class page_sizes {
 public:
  void set(const void* start, std::uint32_t bytes) {
    const std::lock_guard held(mutex_);
    by_start_[start] = bytes;
  }
  void clear(const void* start) {
    const std::lock_guard held(mutex_);
    by_start_.erase(start);
  }
  std::uint32_t get(const void* start) {
    const std::lock_guard held(mutex_);
    const auto found = by_start_.find(start);
    return found == by_start_.end() ? page_4k : found->second;
  }

 private:
  std::mutex mutex_;
  std::map<const void*, std::uint32_t> by_start_;
};

std::uint32_t page_size_for(aclrtMemMallocPolicy policy, std::size_t bytes) {
  switch (policy & 0xFF) {
    case ACL_MEM_MALLOC_HUGE_FIRST:
    case ACL_MEM_MALLOC_HUGE_FIRST_P2P: return bytes > max_bytes_on_4k_pages ? page_2m : page_4k;
    case ACL_MEM_MALLOC_HUGE_ONLY:
    case ACL_MEM_MALLOC_HUGE_ONLY_P2P: return page_2m;
    case ACL_MEM_MALLOC_HUGE1G_ONLY:
    case ACL_MEM_MALLOC_HUGE1G_ONLY_P2P: return page_1g;
    default: return page_4k;
  }
}

bool is_valid_policy(aclrtMemMallocPolicy policy) {
  constexpr int modifiers = ACL_MEM_TYPE_LOW_BAND_WIDTH | ACL_MEM_TYPE_HIGH_BAND_WIDTH |
                            ACL_MEM_ACCESS_USER_SPACE_READONLY;
  const int base = policy & ~modifiers;
  return base >= ACL_MEM_MALLOC_HUGE_FIRST && base <= ACL_MEM_MALLOC_HUGE1G_ONLY_P2P;
}

// The bytes of an allocation that a program may use: rounded up to 32, plus the padding.
std::size_t usable_bytes(std::size_t bytes, std::size_t padding) {
  constexpr std::size_t unit = 32;
  if (bytes > SIZE_MAX - 2 * unit) return SIZE_MAX;
  return (bytes + unit - 1) / unit * unit + padding;
}

std::size_t padding_bytes(padding_rule rule) {
  return rule == padding_rule::of_soc ? soc().family.tail_padding : 0;
}

// The device to allocate on: the current one unless the configuration names another.
lookup<device_id> device_for(const aclrtMallocConfig* config) {
  const auto current = current_context();
  if (!current) return current.error;
  lookup<device_id> device{(*current)->device};
  if (config == nullptr) return device;
  if (config->numAttrs != 0 && config->attrs == nullptr) return invalid_param("attrs is NULL");
  for (std::size_t i = 0; i != config->numAttrs; ++i) {
    const aclrtMallocAttribute& each = config->attrs[i];
    if (each.attr < ACL_RT_MEM_ATTR_MODULE_ID || each.attr > ACL_RT_MEM_ATTR_VA_FLAG) {
      return failed(ACL_ERROR_RT_PARAM_INVALID, "attr of an attribute is unknown");
    }
    if (each.attr == ACL_RT_MEM_ATTR_DEVICE_ID) device = find_device(each.value.deviceId);
    if (!device) return device;
  }
  return device;
}

// The indices start at 0, increase strictly, and stay below the number of ranges.
bool locations_cover(const prefetch_call& p) {
  const std::span<const std::size_t> firsts(p.firsts, p.location_count);
  if (firsts.empty() || firsts.front() != 0 || firsts.back() >= p.count) return false;
  return std::ranges::adjacent_find(firsts, std::ranges::greater_equal()) == firsts.end();
}

call_status check(const prefetch_call& p) {
  const bool has_arrays = p.starts != nullptr && p.sizes != nullptr && p.locations != nullptr &&
                          p.firsts != nullptr && p.count != 0;
  if (!has_arrays) {
    return missing_argument({{"ptrs", p.starts},
                             {"sizes", p.sizes},
                             {"prefetchLocs", p.locations},
                             {"prefetchLocIdxs", p.firsts},
                             {"count", p.count}});
  }
  if (p.flags != 0) return failed(ACL_ERROR_RT_PARAM_INVALID, "flags is not 0");
  if (!locations_cover(p)) {
    return failed(ACL_ERROR_RT_PARAM_INVALID,
                  "prefetchLocIdxs does not start at 0, increase and stay below count");
  }
  for (std::size_t i = 0; i != p.count; ++i) {
    auto managed = check_managed_memory(p.starts[i], p.sizes[i]);
    if (managed.ok()) continue;
    this_thread().error_text.insert(0, "item " + std::to_string(i) + ": ");
    return managed;
  }
  return {};
}

}  // namespace

call_status allocate_on_device(const device_allocation& request) {
  if (request.into == nullptr || request.bytes == 0)
    return missing_argument({{"devPtr", request.into}, {"size", request.bytes}});
  if (!is_valid_policy(request.policy)) {
    return failed(ACL_ERROR_RT_INVALID_MALLOC_TYPE, "policy is not a known aclrtMemMallocPolicy");
  }
  const auto device = device_for(request.config);
  if (!device) return device.error;
  const std::uint32_t page = page_size_for(request.policy, request.bytes);
  const auto allocated = allocate(
      *device, usable_bytes(request.bytes, page == page_1g ? 0 : padding_bytes(request.padding)));
  if (!allocated) return call_status_of(allocated.error());
  if (page != page_4k) compat::process_object<page_sizes>().set(*allocated, page);
  *request.into = *allocated;
  return {};
}

call_status allocate_on_host(void** into, std::uint64_t bytes, const aclrtMallocConfig* config) {
  if (into == nullptr || bytes == 0) return missing_argument({{"hostPtr", into}, {"size", bytes}});
  const auto current = device_for(config);
  if (!current) return current.error;
  const auto allocated = allocate_pinned(bytes);
  if (!allocated) return call_status_of(allocated.error());
  *into = *allocated;
  return {};
}

call_status allocate_managed_memory(void** into, std::uint64_t bytes, std::uint32_t flag) {
  if (into == nullptr || bytes == 0) return missing_argument({{"ptr", into}, {"size", bytes}});
  if (flag != ACL_RT_MEM_ATTACH_GLOBAL) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "flag is not ACL_RT_MEM_ATTACH_GLOBAL");
  }
  const auto allocated = allocate_managed(bytes);
  if (!allocated) return call_status_of(allocated.error());
  *into = *allocated;
  return {};
}

call_status free_memory(void* start, allocation_kind kind) {
  if (start == nullptr) return invalid_param("the pointer is NULL");
  const auto attributes = locate(start);
  if (!attributes) return call_status_of(attributes.error());
  const bool pinned = attributes->kind == memory_kind::pinned;
  const bool matches =
      kind == allocation_kind::host_memory
          ? pinned
          : attributes->kind == memory_kind::device || attributes->kind == memory_kind::managed;
  if (!matches) {
    return call_status_of({errc::not_an_allocation, copy_side::none, {}, start});
  }
  compat::process_object<page_sizes>().clear(start);
  return call_status_of(deallocate(start));
}

call_status free_after_work(void* start, allocation_kind kind) {
  if (start == nullptr) return invalid_param("the pointer is NULL");
  const auto current = current_context();
  if (!current) return current.error;
  static_cast<void>(device((*current)->device).synchronize());
  return free_memory(start, kind);
}

call_status get_pointer_attributes(const void* pointer, aclrtPtrAttributes* into) {
  if (pointer == nullptr || into == nullptr)
    return missing_argument({{"ptr", pointer}, {"attributes", into}});
  const auto attributes = locate(pointer);
  if (!attributes) return call_status_of(attributes.error());
  *into = {};
  into->pageSize = page_4k;
  switch (attributes->kind) {
    case memory_kind::pageable: into->location.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED; break;
    case memory_kind::pinned:
    case memory_kind::registered: into->location.type = ACL_MEM_LOCATION_TYPE_HOST; break;
    case memory_kind::managed: into->location.type = ACL_MEM_LOCATION_TYPE_MANAGED; break;
    case memory_kind::device:
      into->location = {static_cast<std::uint32_t>(program_devices().number_of(attributes->device)),
                        ACL_MEM_LOCATION_TYPE_DEVICE};
      into->pageSize = compat::process_object<page_sizes>().get(attributes->base);
      break;
  }
  return {};
}

call_status check_memory_type(const memory_type_query& query) {
  if (query.reserve != 0) return invalid_param("reserve is not 0");
  if (query.addresses == nullptr || query.count == 0 || query.into == nullptr)
    return missing_argument(
        {{"addrList", query.addresses}, {"size", query.count}, {"checkResult", query.into}});
  const auto current = current_context();
  if (!current) return current.error;
  *query.into = (query.types & ACL_RT_MEM_TYPE_DEV) != 0 ? 1 : 0;
  for (const void* const each : std::span(query.addresses, query.count)) {
    const auto attributes = locate(each);
    if (!attributes || attributes->kind != memory_kind::device) *query.into = 0;
  }
  return {};
}

call_status get_address_range(void* pointer, void** base, std::size_t* bytes) {
  if (pointer == nullptr || (base == nullptr && bytes == nullptr))
    return invalid_param(pointer == nullptr ? "ptr is NULL" : "pbase and psize are both NULL");
  const auto attributes = locate(pointer);
  if (!attributes) return call_status_of(attributes.error());
  if (attributes->base == nullptr) {
    return call_status_of({errc::not_an_allocation, copy_side::none, {}, pointer});
  }
  if (base != nullptr) *base = attributes->base;
  if (bytes != nullptr) *bytes = attributes->size;
  return {};
}

call_status get_memory_info(aclrtMemAttr attribute, std::size_t* free, std::size_t* total) {
  if (free == nullptr || total == nullptr)
    return missing_argument({{"free", free}, {"total", total}});
  if (attribute < ACL_DDR_MEM || attribute > ACL_MEM_P2P_HUGE1G) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "attr is not a known aclrtMemAttr");
  }
  const auto current = current_context();
  if (!current) return current.error;
  const auto stats = memory_stats_of((*current)->device);
  if (!stats) return call_status_of(stats.error());
  *free = stats->free;
  *total = stats->total;
  return {};
}

call_status get_memory_usage(std::int32_t device_number, aclrtMemUsageInfo* into,
                             std::size_t capacity, std::size_t* count) {
  if (into == nullptr || capacity == 0 || count == nullptr)
    return missing_argument({{"memUsageInfo", into}, {"inputNum", capacity}, {"outputNum", count}});
  const auto device = find_device(device_number);
  if (!device) return device.error;
  const auto stats = memory_stats_of(*device);
  if (!stats) return call_status_of(stats.error());
  *into = {};
  std::memcpy(into->name, "APP", 4);
  into->curMemSize = into->memPeakSize = stats->total - stats->free;
  *count = 1;
  return {};
}

call_status check_known_memory(const void* start, std::size_t bytes) {
  if (start == nullptr || bytes == 0)
    return missing_argument({{"the pointer", start}, {"the size", bytes}});
  const auto attributes = locate(start);
  if (!attributes) return call_status_of(attributes.error());
  if (bytes <= attributes->bytes_left) return {};
  return call_status_of({errc::leaves_allocation, copy_side::none, {}, start});
}

call_status check_managed_memory(const void* start, std::size_t bytes) {
  if (auto checked = check_known_memory(start, bytes); !checked.ok()) return checked;
  if (locate(start)->kind == memory_kind::managed) return {};
  return call_status_of({errc::wrong_location, copy_side::none, {}, start});
}

call_status register_host_memory(void* start, std::uint64_t bytes, aclrtHostRegisterType type,
                                 void** into) {
  constexpr unsigned known_bits = ACL_HOST_REGISTER_IOMEMORY | ACL_HOST_REGISTER_READONLY;
  if (start == nullptr || bytes == 0 || into == nullptr)
    return missing_argument({{"ptr", start}, {"size", bytes}, {"devPtr", into}});
  if ((static_cast<unsigned>(type) & ~known_bits) != 0) return unsupported("type has unknown bits");
  if (reinterpret_cast<std::uintptr_t>(start) % page_4k != 0) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "ptr is not a multiple of 4096");
  }
  const bool read_only = (static_cast<unsigned>(type) & ACL_HOST_REGISTER_READONLY) != 0;
  auto pinned = call_status_of(pin(start, bytes, access_of(read_only)));
  if (pinned.ok()) *into = start;
  return pinned;
}

call_status register_host_memory(void* start, std::uint64_t bytes, std::uint32_t flag) {
  constexpr std::uint32_t known_bits =
      ACL_HOST_REG_MAPPED | ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY | ACL_HOST_REG_PINNED;
  if (start == nullptr || bytes == 0) return missing_argument({{"ptr", start}, {"size", bytes}});
  if (flag == 0 || (flag & ~known_bits) != 0) {
    return failed(ACL_ERROR_RT_PARAM_INVALID, "flag is " + std::to_string(flag) +
                                                  ", the call takes a combination of "
                                                  "ACL_HOST_REG_ flags");
  }
  return call_status_of(pin(start, bytes, access_of((flag & ACL_HOST_REG_READONLY) != 0)));
}

call_status unregister_host_memory(void* start) {
  if (start == nullptr) return invalid_param("ptr is NULL");
  return call_status_of(unpin(start));
}

call_status get_device_address(void* start, void** into, std::uint32_t flag) {
  if (start == nullptr || into == nullptr)
    return missing_argument({{"pHost", start}, {"pDevice", into}});
  if (flag != 0) return invalid_param("flag is not 0");
  const auto attributes = locate(start);
  if (!attributes) return call_status_of(attributes.error());
  const bool registered =
      attributes->kind == memory_kind::registered || attributes->kind == memory_kind::pinned;
  if (!registered) return failed(ACL_ERROR_RT_PARAM_INVALID, "the host memory is not registered");
  *into = start;
  return {};
}

call_status map_for_peer(const void* start, std::size_t bytes, std::int32_t device) {
  auto checked = check_known_memory(start, bytes);
  return checked.ok() ? find_device(device).error : checked;
}

call_status maintain_cache(const void* start, std::size_t bytes, aclrtStream handle) {
  auto checked = check_known_memory(start, bytes);
  return checked.ok() ? stream_in_context(handle).error : checked;
}

call_status prefetch(const void* start, std::size_t bytes, aclrtStream handle) {
  auto checked = check_managed_memory(start, bytes);
  return checked.ok() ? stream_in_context(handle).error : checked;
}

call_status prefetch_batch(const prefetch_call& p, aclrtStream handle) {
  auto checked = check(p);
  return checked.ok() ? stream_in_context(handle).error : checked;
}

call_status get_mapping_capability(std::uint32_t device, aclrtHostMemMapCapability* into) {
  if (into == nullptr) return invalid_param("capabilities is NULL");
  *into = 1;  // devices can map host memory
  return find_device(device).error;
}

call_status get_damaged_memory(std::int32_t device, const aclrtMemUceInfo* into,
                               std::size_t capacity, std::size_t* count) {
  if (into == nullptr || capacity == 0 || count == nullptr)
    return missing_argument(
        {{"memUceInfoArray", into}, {"arraySize", capacity}, {"retSize", count}});
  *count = 0;  // simulated memory has no uncorrectable errors
  return find_device(device).error;
}

call_status repair_memory(std::int32_t device, const aclrtMemUceInfo* damaged) {
  if (damaged == nullptr) return invalid_param("memUceInfoArray is NULL");
  return find_device(device).error;
}

}  // namespace convoy::ascendcl
