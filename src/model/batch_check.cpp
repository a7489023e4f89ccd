#include "model/batch_check.hpp"

#include <algorithm>

namespace convoy {

bool runs_cover(std::span<const attribute_run> runs, std::size_t count) noexcept {
  if (runs.empty() || runs.front().first != 0 || runs.back().first >= count) return false;
  const auto not_rising = [](const auto& a, const auto& b) { return a.first >= b.first; };
  return std::adjacent_find(runs.begin(), runs.end(), not_rising) == runs.end();
}

bool arrays_match(const batch_view& view) noexcept {
  const std::size_t count = view.sizes.size();
  return view.dsts.size() == count && view.srcs.size() == count &&
         (view.capacities.empty() || view.capacities.size() == count);
}

status check_shape(std::size_t count, std::span<const attribute_run> runs,
                   const batch_rules& rules) noexcept {
  if (count == 0) return {errc::invalid_argument};
  if (count > rules.max_copies) return {errc::too_many_copies};
  if (runs.empty()) return {rules.runs_required ? errc::invalid_runs : errc::ok};
  if (!runs_cover(runs, count)) return {errc::invalid_runs};

  const auto bad = [](const attribute_run& run) {
    return run.attrs.order < source_access::stream || run.attrs.order > source_access::any;
  };
  return {std::any_of(runs.begin(), runs.end(), bad) ? errc::invalid_access_order : errc::ok};
}

direction direction_between(memory_kind src, memory_kind dst) noexcept {
  if (is_host(src)) return is_host(dst) ? direction::host_to_host : direction::host_to_device;
  return is_host(dst) ? direction::device_to_host : direction::device_to_device;
}

bool matches(const memory_class& found, const location& wanted) noexcept {
  switch (wanted.type) {
    case location_type::unspecified: return true;
    case location_type::host:
    case location_type::host_numa: return is_host(found.kind);
    case location_type::managed: return found.kind == memory_kind::managed;
    case location_type::device:
      return found.kind == memory_kind::device && number(found.device) == wanted.id;
  }
  return false;
}

status check_route(const route& r, const attributes& attrs, const batch_rules& rules,
                   std::optional<direction> first) noexcept {
  if (rules.locations_bind && !matches(r.dst, attrs.dst_hint)) {
    return {errc::wrong_location, copy_side::destination};
  }
  if (rules.locations_bind && !matches(r.src, attrs.src_hint)) {
    return {errc::wrong_location, copy_side::source};
  }

  const direction copy_direction = direction_between(r.src.kind, r.dst.kind);
  if (!rules.allowed.has(copy_direction)) return {errc::wrong_direction};
  if (rules.one_direction && first && *first != copy_direction) return {errc::mixed_directions};

  const bool between_devices = r.src.kind == memory_kind::device &&
                               r.dst.kind == memory_kind::device && r.src.device != r.dst.device;
  if (rules.peers_need_access && between_devices && !r.peers_connected) {
    return {errc::no_peer_access};
  }
  return {};
}

status check_extent(const copy& c, std::size_t capacity) noexcept {
  if (c.dst == nullptr) return {errc::null_pointer, copy_side::destination};
  if (c.src == nullptr) return {errc::null_pointer, copy_side::source};
  if (c.bytes > capacity) {
    return {errc::size_exceeds_capacity, copy_side::destination, {}, c.dst};
  }
  return {};
}

}  // namespace convoy
