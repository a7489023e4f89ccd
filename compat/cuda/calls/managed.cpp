#include "calls/managed.hpp"

#include <unistd.h>

#include <algorithm>
#include <bitset>
#include <convoy/device.hpp>
#include <convoy/memory.hpp>
#include <map>
#include <mutex>

#include "shared/process_lifetime.hpp"
#include "state/visible_devices.hpp"

namespace convoy::cuda {
namespace {

using compat::process_object;

constexpr cudaMemLocation no_location{cudaMemLocationTypeInvalid, cudaInvalidDeviceId};

bool same(const cudaMemLocation& a, const cudaMemLocation& b) {
  return a.type == b.type && a.id == b.id;
}

// Bit i is device i; the bit after the devices is the host.
using accessor_set = std::bitset<max_devices + 1>;
constexpr std::size_t host_bit = max_devices;

struct advice_set {
  bool read_mostly = false;
  cudaMemLocation preferred = no_location;
  cudaMemLocation prefetched = no_location;
  accessor_set accessed_by;
};

struct segment {
  std::uintptr_t end = 0;
  advice_set advice;
};

// Advice by address range. Ranges do not overlap; a range without advice need not be in the map.
struct advice_table {
  std::mutex mutex;
  std::map<std::uintptr_t, segment> segments;

  // Splits the segment that covers the address, if any, so that one begins there.
  void cut(std::uintptr_t at) {
    auto next = segments.upper_bound(at);
    if (next == segments.begin()) return;
    const auto covering = std::prev(next);
    if (covering->first == at || covering->second.end <= at) return;
    segments.emplace_hint(next, at, segment{covering->second.end, covering->second.advice});
    covering->second.end = at;
  }

  // Applies the change to every segment of the range and fills gaps with new segments.
  template <class Change>
  void change(std::uintptr_t from, std::uintptr_t to, const Change& apply) {
    cut(from);
    cut(to);
    std::uintptr_t at = from;
    for (auto each = segments.lower_bound(from); at < to;) {
      const bool gap = each == segments.end() || each->first > at;
      if (gap) {
        const std::uintptr_t end = each == segments.end() ? to : std::min(to, each->first);
        each = segments.emplace_hint(each, at, segment{end, {}});
      }
      apply(each->second.advice);
      at = each->second.end;
      ++each;
    }
  }

  // True if `holds` is true for the advice of every byte of the range.
  template <class Fact>
  bool all_of(std::uintptr_t from, std::uintptr_t to, const Fact& holds) {
    bool all = true;
    change(from, to, [&](const advice_set& advice) { all = all && holds(advice); });
    return all;
  }
};

std::uintptr_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

struct address_range {
  std::uintptr_t first = 0;
  std::uintptr_t end = 0;
};

// Rounds a range of managed memory out to whole pages of the CPU, within its allocation.
address_range rounded_to_pages(const void* start, std::size_t bytes) {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t first = address(start) / page * page;
  const std::uintptr_t end = (address(start) + bytes + page - 1) / page * page;
  const auto located = locate(start);
  if (!located) return {address(start), address(start) + bytes};
  const std::uintptr_t base = address(located->base);
  return {std::max(first, base), std::min(end, base + located->size)};
}

status check_range(const void* start, std::size_t bytes) {
  if (start == nullptr || bytes == 0) return {errc::invalid_argument};
  const auto located = locate(start);
  if (!located || located->kind != memory_kind::managed) {
    return {errc::wrong_location, copy_side::none, {}, start};
  }
  if (bytes > located->bytes_left) return {errc::leaves_allocation, copy_side::none, {}, start};
  return {};
}

call_status check_location(const cudaMemLocation& location) {
  const auto count = visible_device_count();
  if (!count) return count;
  switch (location.type) {
    case cudaMemLocationTypeDevice:
      return location.id >= 0 && location.id < *count ? cudaSuccess : cudaErrorInvalidDevice;
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNumaCurrent: return cudaSuccess;
    case cudaMemLocationTypeHostNuma: return location.id >= 0 ? cudaSuccess : cudaErrorInvalidValue;
    case cudaMemLocationTypeInvalid: break;
  }
  return cudaErrorInvalidValue;
}

std::size_t bit_of(const cudaMemLocation& location) {
  return location.type == cudaMemLocationTypeDevice ? static_cast<std::size_t>(location.id)
                                                    : host_bit;
}

void apply(advice_set& advice, cudaMemoryAdvise change, const cudaMemLocation& location) {
  switch (change) {
    case cudaMemAdviseSetReadMostly: advice.read_mostly = true; break;
    case cudaMemAdviseUnsetReadMostly: advice.read_mostly = false; break;
    case cudaMemAdviseSetPreferredLocation: advice.preferred = location; break;
    case cudaMemAdviseUnsetPreferredLocation: advice.preferred = no_location; break;
    case cudaMemAdviseSetAccessedBy: advice.accessed_by.set(bit_of(location)); break;
    case cudaMemAdviseUnsetAccessedBy: advice.accessed_by.reset(bit_of(location)); break;
  }
}

bool takes_location(cudaMemoryAdvise advice) {
  return advice == cudaMemAdviseSetPreferredLocation || advice == cudaMemAdviseSetAccessedBy ||
         advice == cudaMemAdviseUnsetAccessedBy;
}

status check_stream(cudaStream_t stream) {
  const auto target = native(stream);
  return target ? target->device().error() : target.error();
}

call_status check_ranges(cudaStream_t stream, const managed_ranges& ranges,
                         unsigned long long flags) {
  if (is_legacy(stream) || flags != 0 || ranges.count == 0 || ranges.starts == nullptr ||
      ranges.sizes == nullptr) {
    return status{errc::invalid_argument};
  }
  if (const status s = check_stream(stream); !s.ok()) return s;
  for (std::size_t i = 0; i != ranges.count; ++i) {
    status s = check_range(ranges.starts[i], ranges.sizes[i]);
    s.item = i;
    if (!s.ok()) return s;
  }
  return cudaSuccess;
}

call_status check_runs(const managed_ranges& ranges) {
  if (ranges.runs == 0 || ranges.runs > ranges.count || ranges.locations == nullptr ||
      ranges.firsts == nullptr || ranges.firsts[0] != 0) {
    return status{errc::invalid_runs};
  }
  for (std::size_t i = 0; i != ranges.runs; ++i) {
    const bool rises = i == 0 || ranges.firsts[i] > ranges.firsts[i - 1];
    if (!rises || ranges.firsts[i] >= ranges.count) return status{errc::invalid_runs};
    if (const call_status s = check_location(ranges.locations[i]); !s.ok()) return s;
  }
  return cudaSuccess;
}

void record_prefetch(const void* start, std::size_t bytes, const cudaMemLocation& location) {
  const address_range pages = rounded_to_pages(start, bytes);
  auto& table = process_object<advice_table>();
  const std::lock_guard held(table.mutex);
  table.change(pages.first, pages.end, [&](advice_set& advice) { advice.prefetched = location; });
}

// Returns the location that the whole range has in common, else no_location.
cudaMemLocation common_location(std::uintptr_t from, std::uintptr_t to,
                                cudaMemLocation advice_set::*member) {
  auto& table = process_object<advice_table>();
  cudaMemLocation first = no_location;
  bool seen = false;
  const bool all = table.all_of(from, to, [&](const advice_set& advice) {
    if (!std::exchange(seen, true)) first = advice.*member;
    return same(first, advice.*member);
  });
  return all ? first : no_location;
}

int legacy_device_id(const cudaMemLocation& location) {
  if (location.type == cudaMemLocationTypeDevice) return location.id;
  return location.type == cudaMemLocationTypeHost ? cudaCpuDeviceId : cudaInvalidDeviceId;
}

int int_attribute(cudaMemRangeAttribute attribute, std::uintptr_t from, std::uintptr_t to) {
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      return process_object<advice_table>().all_of(
          from, to, [](const auto& advice) { return advice.read_mostly; });
    case cudaMemRangeAttributePreferredLocation:
      return legacy_device_id(common_location(from, to, &advice_set::preferred));
    case cudaMemRangeAttributeLastPrefetchLocation:
      return legacy_device_id(common_location(from, to, &advice_set::prefetched));
    case cudaMemRangeAttributePreferredLocationType:
      return common_location(from, to, &advice_set::preferred).type;
    case cudaMemRangeAttributePreferredLocationId:
      return common_location(from, to, &advice_set::preferred).id;
    case cudaMemRangeAttributeLastPrefetchLocationType:
      return common_location(from, to, &advice_set::prefetched).type;
    case cudaMemRangeAttributeLastPrefetchLocationId:
      return common_location(from, to, &advice_set::prefetched).id;
    case cudaMemRangeAttributeAccessedBy: break;
  }
  return cudaInvalidDeviceId;
}

void list_accessors(std::span<int> into, std::uintptr_t from, std::uintptr_t to) {
  accessor_set devices = accessor_set().set();
  process_object<advice_table>().all_of(from, to, [&](const advice_set& advice) {
    devices &= advice.accessed_by;
    return true;
  });
  std::fill(into.begin(), into.end(), cudaInvalidDeviceId);
  std::size_t listed = 0;
  for (std::size_t i = 0; i != devices.size() && listed != into.size(); ++i) {
    if (devices[i]) into[listed++] = i == host_bit ? cudaCpuDeviceId : static_cast<int>(i);
  }
}

}  // namespace

call_status advise(const void* start, std::size_t bytes, cudaMemoryAdvise advice,
                   const cudaMemLocation& location) {
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) {
    return cudaErrorInvalidValue;
  }
  if (const status s = check_range(start, bytes); !s.ok()) return s;
  if (takes_location(advice)) {
    if (const call_status s = check_location(location); !s.ok()) return s;
  }
  const address_range pages = rounded_to_pages(start, bytes);
  auto& table = process_object<advice_table>();
  const std::lock_guard held(table.mutex);
  table.change(pages.first, pages.end, [&](advice_set& known) { apply(known, advice, location); });
  return cudaSuccess;
}

call_status prefetch(cudaStream_t stream, const void* start, std::size_t bytes,
                     const cudaMemLocation& location, unsigned flags) {
  if (flags != 0) return cudaErrorInvalidValue;
  if (const status s = check_range(start, bytes); !s.ok()) return s;
  if (const call_status s = check_location(location); !s.ok()) return s;
  if (const status s = check_stream(stream); !s.ok()) return s;
  record_prefetch(start, bytes, location);
  return cudaSuccess;
}

call_status prefetch_batch(cudaStream_t stream, const managed_ranges& ranges,
                           unsigned long long flags) {
  if (const call_status s = check_ranges(stream, ranges, flags); !s.ok()) return s;
  if (const call_status s = check_runs(ranges); !s.ok()) return s;
  std::size_t run = 0;
  for (std::size_t i = 0; i != ranges.count; ++i) {
    if (run + 1 < ranges.runs && ranges.firsts[run + 1] == i) ++run;
    record_prefetch(ranges.starts[i], ranges.sizes[i], ranges.locations[run]);
  }
  return cudaSuccess;
}

call_status discard_batch(cudaStream_t stream, const managed_ranges& ranges,
                          unsigned long long flags) {
  return check_ranges(stream, ranges, flags);
}

call_status range_attribute(void* into, std::size_t size, cudaMemRangeAttribute attribute,
                            const void* start, std::size_t bytes) {
  const bool known = attribute >= cudaMemRangeAttributeReadMostly &&
                     attribute <= cudaMemRangeAttributeLastPrefetchLocationId;
  const bool list = attribute == cudaMemRangeAttributeAccessedBy;
  const bool fits = list ? size != 0 && size % sizeof(int) == 0 : size == sizeof(int);
  if (into == nullptr || !known || !fits) return cudaErrorInvalidValue;
  if (const status s = check_range(start, bytes); !s.ok()) return s;
  const std::uintptr_t from = address(start);
  const std::lock_guard held(process_object<advice_table>().mutex);
  if (list) {
    list_accessors({static_cast<int*>(into), size / sizeof(int)}, from, from + bytes);
  } else {
    *static_cast<int*>(into) = int_attribute(attribute, from, from + bytes);
  }
  return cudaSuccess;
}

call_status range_attributes(void* const* into, const std::size_t* sizes,
                             std::span<const cudaMemRangeAttribute> attributes, const void* start,
                             std::size_t bytes) {
  const bool given = into != nullptr && sizes != nullptr && attributes.data() != nullptr;
  if (!given || attributes.empty()) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i != attributes.size(); ++i) {
    const call_status s = range_attribute(into[i], sizes[i], attributes[i], start, bytes);
    if (!s.ok()) return s;
  }
  return cudaSuccess;
}

call_status attach(cudaStream_t stream, void* start, std::size_t bytes, unsigned flags) {
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle) {
    return cudaErrorInvalidValue;
  }
  if (flags == cudaMemAttachSingle && is_legacy(stream)) return cudaErrorInvalidValue;
  if (const status s = check_stream(stream); !s.ok()) return s;
  const auto located = locate(start);
  const bool whole = located && located->kind == memory_kind::managed && located->base == start &&
                     (bytes == 0 || bytes == located->size);
  return whole ? cudaSuccess : cudaErrorInvalidValue;
}

void remove_advice(const void* start, std::size_t bytes) {
  auto& table = process_object<advice_table>();
  const std::lock_guard held(table.mutex);
  if (table.segments.empty()) return;
  table.cut(address(start));
  table.cut(address(start) + bytes);
  table.segments.erase(table.segments.lower_bound(address(start)),
                       table.segments.lower_bound(address(start) + bytes));
}

}  // namespace convoy::cuda
