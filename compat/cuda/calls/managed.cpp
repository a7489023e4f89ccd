#include "calls/managed.hpp"

#include <algorithm>
#include <bitset>
#include <convoy/device.hpp>
#include <convoy/memory.hpp>
#include <map>
#include <mutex>
#include <span>

namespace convoy::cuda {
namespace {

constexpr cudaMemLocation nowhere{cudaMemLocationTypeInvalid, cudaInvalidDeviceId};

bool same(const cudaMemLocation& a, const cudaMemLocation& b) {
  return a.type == b.type && a.id == b.id;
}

struct advice_set {
  bool read_mostly = false;
  cudaMemLocation preferred = nowhere;
  cudaMemLocation prefetched = nowhere;
  std::bitset<65> accessed_by;  // devices by number, then the host
};

constexpr std::size_t host_bit = 64;

struct segment {
  std::uintptr_t end = 0;
  advice_set said;
};

// Advice by range of addresses; ranges do not overlap, and those without advice may be missing.
struct advice_book {
  std::mutex mutex;
  std::map<std::uintptr_t, segment> segments;

  static advice_book& get() {
    static auto* const only = new advice_book;
    return *only;
  }

  // Makes sure that a segment begins or ends at the address, when one covers it.
  void cut(std::uintptr_t at) {
    auto next = segments.upper_bound(at);
    if (next == segments.begin()) return;
    const auto covering = std::prev(next);
    if (covering->first == at || covering->second.end <= at) return;
    segments.emplace_hint(next, at, segment{covering->second.end, covering->second.said});
    covering->second.end = at;
  }

  // Applies the change to every byte of the range.
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
      apply(each->second.said);
      at = each->second.end;
      ++each;
    }
  }

  // True when `holds` does for the advice about every byte.
  template <class Fact>
  bool all_of(std::uintptr_t from, std::uintptr_t to, const Fact& holds) {
    bool all = true;
    change(from, to, [&](const advice_set& said) { all = all && holds(said); });
    return all;
  }
};

std::uintptr_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

status check_range(const void* start, std::size_t bytes) {
  if (start == nullptr || bytes == 0) return {errc::invalid_argument};
  const auto where = locate(start);
  if (!where || where->kind != memory_kind::managed) {
    return {errc::wrong_location, copy_side::none, {}, start};
  }
  if (bytes > where->bytes_left) return {errc::leaves_allocation, copy_side::none, {}, start};
  return {};
}

outcome check_place(const cudaMemLocation& place) {
  const auto count = device_count();
  if (!count) return count;
  switch (place.type) {
    case cudaMemLocationTypeDevice:
      return place.id >= 0 && place.id < *count ? cudaSuccess : cudaErrorInvalidDevice;
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNumaCurrent: return cudaSuccess;
    case cudaMemLocationTypeHostNuma: return place.id >= 0 ? cudaSuccess : cudaErrorInvalidValue;
    case cudaMemLocationTypeInvalid: break;
  }
  return cudaErrorInvalidValue;
}

std::size_t bit_of(const cudaMemLocation& place) {
  return place.type == cudaMemLocationTypeDevice ? static_cast<std::size_t>(place.id) : host_bit;
}

void follow(advice_set& said, cudaMemoryAdvise advice, const cudaMemLocation& place) {
  switch (advice) {
    case cudaMemAdviseSetReadMostly: said.read_mostly = true; break;
    case cudaMemAdviseUnsetReadMostly: said.read_mostly = false; break;
    case cudaMemAdviseSetPreferredLocation: said.preferred = place; break;
    case cudaMemAdviseUnsetPreferredLocation: said.preferred = nowhere; break;
    case cudaMemAdviseSetAccessedBy: said.accessed_by.set(bit_of(place)); break;
    case cudaMemAdviseUnsetAccessedBy: said.accessed_by.reset(bit_of(place)); break;
  }
}

bool names_a_place(cudaMemoryAdvise advice) {
  return advice == cudaMemAdviseSetPreferredLocation || advice == cudaMemAdviseSetAccessedBy ||
         advice == cudaMemAdviseUnsetAccessedBy;
}

status check_stream(cudaStream_t stream) {
  const auto to = native(stream);
  return to ? to->device().error() : to.error();
}

outcome check_all(cudaStream_t stream, const range_arrays& ranges, unsigned long long flags) {
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

outcome check_runs(const range_arrays& ranges) {
  if (ranges.runs == 0 || ranges.runs > ranges.count || ranges.places == nullptr ||
      ranges.firsts == nullptr || ranges.firsts[0] != 0) {
    return status{errc::invalid_runs};
  }
  for (std::size_t i = 0; i != ranges.runs; ++i) {
    const bool rises = i == 0 || ranges.firsts[i] > ranges.firsts[i - 1];
    if (!rises || ranges.firsts[i] >= ranges.count) return status{errc::invalid_runs};
    if (const outcome o = check_place(ranges.places[i]); !o.ok()) return o;
  }
  return cudaSuccess;
}

void remember_prefetch(const void* start, std::size_t bytes, const cudaMemLocation& place) {
  advice_book& book = advice_book::get();
  const std::lock_guard held(book.mutex);
  book.change(address(start), address(start) + bytes,
              [&](advice_set& said) { said.prefetched = place; });
}

// What the whole range agrees on.
cudaMemLocation agreed(std::uintptr_t from, std::uintptr_t to, cudaMemLocation advice_set::*which) {
  advice_book& book = advice_book::get();
  cudaMemLocation first = nowhere;
  bool seen = false;
  const bool all = book.all_of(from, to, [&](const advice_set& said) {
    if (!std::exchange(seen, true)) first = said.*which;
    return same(first, said.*which);
  });
  return all ? first : nowhere;
}

int old_style(const cudaMemLocation& place) {
  if (place.type == cudaMemLocationTypeDevice) return place.id;
  return place.type == cudaMemLocationTypeHost ? cudaCpuDeviceId : cudaInvalidDeviceId;
}

int number_for(cudaMemRangeAttribute which, std::uintptr_t from, std::uintptr_t to) {
  switch (which) {
    case cudaMemRangeAttributeReadMostly:
      return advice_book::get().all_of(from, to, [](const auto& said) { return said.read_mostly; });
    case cudaMemRangeAttributePreferredLocation:
      return old_style(agreed(from, to, &advice_set::preferred));
    case cudaMemRangeAttributeLastPrefetchLocation:
      return old_style(agreed(from, to, &advice_set::prefetched));
    case cudaMemRangeAttributePreferredLocationType:
      return agreed(from, to, &advice_set::preferred).type;
    case cudaMemRangeAttributePreferredLocationId:
      return agreed(from, to, &advice_set::preferred).id;
    case cudaMemRangeAttributeLastPrefetchLocationType:
      return agreed(from, to, &advice_set::prefetched).type;
    case cudaMemRangeAttributeLastPrefetchLocationId:
      return agreed(from, to, &advice_set::prefetched).id;
    case cudaMemRangeAttributeAccessedBy: break;
  }
  return cudaInvalidDeviceId;
}

void list_accessors(std::span<int> into, std::uintptr_t from, std::uintptr_t to) {
  std::bitset<65> by = std::bitset<65>().set();
  advice_book::get().all_of(from, to, [&](const advice_set& said) {
    by &= said.accessed_by;
    return true;
  });
  std::fill(into.begin(), into.end(), cudaInvalidDeviceId);
  std::size_t listed = 0;
  for (std::size_t i = 0; i != by.size() && listed != into.size(); ++i) {
    if (by[i]) into[listed++] = i == host_bit ? cudaCpuDeviceId : static_cast<int>(i);
  }
}

}  // namespace

outcome advise(const void* start, std::size_t bytes, cudaMemoryAdvise advice,
               const cudaMemLocation& place) {
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) {
    return cudaErrorInvalidValue;
  }
  if (const status s = check_range(start, bytes); !s.ok()) return s;
  if (names_a_place(advice)) {
    if (const outcome o = check_place(place); !o.ok()) return o;
  }
  advice_book& book = advice_book::get();
  const std::lock_guard held(book.mutex);
  book.change(address(start), address(start) + bytes,
              [&](advice_set& said) { follow(said, advice, place); });
  return cudaSuccess;
}

outcome prefetch(cudaStream_t stream, const void* start, std::size_t bytes,
                 const cudaMemLocation& place, unsigned flags) {
  if (flags != 0) return cudaErrorInvalidValue;
  if (const status s = check_range(start, bytes); !s.ok()) return s;
  if (const outcome o = check_place(place); !o.ok()) return o;
  if (const status s = check_stream(stream); !s.ok()) return s;
  remember_prefetch(start, bytes, place);
  return cudaSuccess;
}

outcome prefetch_all(cudaStream_t stream, const range_arrays& ranges, unsigned long long flags) {
  if (const outcome o = check_all(stream, ranges, flags); !o.ok()) return o;
  if (const outcome o = check_runs(ranges); !o.ok()) return o;
  std::size_t run = 0;
  for (std::size_t i = 0; i != ranges.count; ++i) {
    if (run + 1 < ranges.runs && ranges.firsts[run + 1] == i) ++run;
    remember_prefetch(ranges.starts[i], ranges.sizes[i], ranges.places[run]);
  }
  return cudaSuccess;
}

outcome discard_all(cudaStream_t stream, const range_arrays& ranges, unsigned long long flags) {
  return check_all(stream, ranges, flags);
}

outcome range_attribute(void* into, std::size_t size, cudaMemRangeAttribute which,
                        const void* start, std::size_t bytes) {
  const bool known = which >= cudaMemRangeAttributeReadMostly &&
                     which <= cudaMemRangeAttributeLastPrefetchLocationId;
  const bool list = which == cudaMemRangeAttributeAccessedBy;
  const bool fits = list ? size != 0 && size % sizeof(int) == 0 : size == sizeof(int);
  if (into == nullptr || !known || !fits) return cudaErrorInvalidValue;
  if (const status s = check_range(start, bytes); !s.ok()) return s;
  const std::uintptr_t from = address(start);
  const std::lock_guard held(advice_book::get().mutex);
  if (list) {
    list_accessors({static_cast<int*>(into), size / sizeof(int)}, from, from + bytes);
  } else {
    *static_cast<int*>(into) = number_for(which, from, from + bytes);
  }
  return cudaSuccess;
}

outcome attach(cudaStream_t stream, void* start, std::size_t bytes, unsigned flags) {
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle) {
    return cudaErrorInvalidValue;
  }
  if (flags == cudaMemAttachSingle && is_legacy(stream)) return cudaErrorInvalidValue;
  if (const status s = check_stream(stream); !s.ok()) return s;
  const auto where = locate(start);
  const bool whole = where && where->kind == memory_kind::managed && where->base == start &&
                     (bytes == 0 || bytes == where->size);
  return whole ? cudaSuccess : cudaErrorInvalidValue;
}

void forget_advice(const void* start, std::size_t bytes) {
  advice_book& book = advice_book::get();
  const std::lock_guard held(book.mutex);
  if (book.segments.empty()) return;
  book.cut(address(start));
  book.cut(address(start) + bytes);
  book.segments.erase(book.segments.lower_bound(address(start)),
                      book.segments.lower_bound(address(start) + bytes));
}

}  // namespace convoy::cuda
