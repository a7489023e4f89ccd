#include "support/batch_oracle.hpp"

#include <optional>

namespace convoy::test {
namespace {

bool on_host(const known_pointer& p) {
  return p.kind != memory_kind::device && p.kind != memory_kind::managed;
}

direction way_of(const known_copy& c) {
  if (on_host(c.src) && on_host(c.dst)) return direction::host_to_host;
  if (on_host(c.src)) return direction::host_to_device;
  if (on_host(c.dst)) return direction::device_to_host;
  return direction::device_to_device;
}

bool meets(const known_pointer& p, const location& said) {
  if (said.type == location_type::unspecified) return true;
  if (said.type == location_type::host || said.type == location_type::host_numa) return on_host(p);
  if (said.type == location_type::managed) return p.kind == memory_kind::managed;
  return p.kind == memory_kind::device && p.device == said.id;
}

bool all_empty(const known_batch& batch) {
  for (const known_copy& c : batch.copies) {
    if (c.bytes != 0) return false;
  }
  return !batch.copies.empty();
}

errc shape_of(const known_batch& batch) {
  const std::size_t count = batch.copies.size();
  if (count == 0) return errc::invalid_argument;
  if (count > batch.rules.max_copies) return errc::too_many_copies;
  if (batch.runs.empty()) return batch.rules.runs_required ? errc::invalid_runs : errc::ok;
  for (std::size_t r = 0; r != batch.runs.size(); ++r) {
    const std::size_t first = batch.runs[r].first;
    if (first >= count) return errc::invalid_runs;
    if (r == 0 ? first != 0 : first <= batch.runs[r - 1].first) return errc::invalid_runs;
  }
  for (const attribute_run& run : batch.runs) {
    const auto order = static_cast<int>(run.attrs.order);
    if (order < 1 || order > 3) return errc::invalid_access_order;
  }
  return errc::ok;
}

attributes attributes_of(const known_batch& batch, std::size_t item) {
  attributes found;
  for (const attribute_run& run : batch.runs) {
    if (run.first <= item) found = run.attrs;
  }
  return found;
}

status end_of(const known_pointer& p, std::size_t bytes, copy_side side) {
  if (!p.allocated) return {errc::not_an_allocation, side};
  if (bytes > p.room) return {errc::leaves_allocation, side};
  return {};
}

status extent_of(const known_copy& c) {
  if (c.dst.at == nullptr) return {errc::null_pointer, copy_side::destination};
  if (c.src.at == nullptr) return {errc::null_pointer, copy_side::source};
  if (c.bytes > c.capacity) return {errc::size_exceeds_capacity, copy_side::destination};
  const status dst = end_of(c.dst, c.bytes, copy_side::destination);
  return dst.ok() ? end_of(c.src, c.bytes, copy_side::source) : dst;
}

status route_of(const known_batch& batch, std::size_t item, direction first) {
  const known_copy& c = batch.copies[item];
  const attributes what = attributes_of(batch, item);
  const batch_rules& rules = batch.rules;
  if (rules.locations_bind && !meets(c.dst, what.dst_hint)) {
    return {errc::wrong_location, copy_side::destination};
  }
  if (rules.locations_bind && !meets(c.src, what.src_hint)) {
    return {errc::wrong_location, copy_side::source};
  }
  if (!rules.allowed.has(way_of(c))) return {errc::wrong_direction};
  if (rules.one_direction && way_of(c) != first) return {errc::mixed_directions};
  const bool across = c.src.kind == memory_kind::device && c.dst.kind == memory_kind::device &&
                      c.src.device != c.dst.device;
  if (rules.peers_need_access && across && !batch.peers_connected) return {errc::no_peer_access};
  return {};
}

}  // namespace

status predicted(const known_batch& batch) {
  if (batch.rules.zeros == zero_sizes::refused_unless_all && all_empty(batch)) return {};
  if (const errc shape = shape_of(batch); shape != errc::ok) return {shape};

  std::optional<direction> first;
  for (std::size_t item = 0; item != batch.copies.size(); ++item) {
    const known_copy& c = batch.copies[item];
    if (c.bytes == 0) {
      if (batch.rules.zeros == zero_sizes::skipped) continue;
      return {errc::zero_size, copy_side::none, item};
    }
    status s = extent_of(c);
    if (s.ok()) s = route_of(batch, item, first.value_or(way_of(c)));
    if (!s.ok()) {
      s.item = item;
      return s;
    }
    if (!first) first = way_of(c);
  }
  return {};
}

}  // namespace convoy::test
