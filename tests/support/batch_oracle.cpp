#include "support/batch_oracle.hpp"

#include <optional>

namespace convoy::test {
namespace {

bool on_host(const known_pointer& p) {
  return p.kind != memory_kind::device && p.kind != memory_kind::managed;
}

direction direction_of(const known_copy& c) {
  if (on_host(c.src) && on_host(c.dst)) return direction::host_to_host;
  if (on_host(c.src)) return direction::host_to_device;
  if (on_host(c.dst)) return direction::device_to_host;
  return direction::device_to_device;
}

bool matches(const known_pointer& p, const location& hint) {
  if (hint.type == location_type::unspecified) return true;
  if (hint.type == location_type::host || hint.type == location_type::host_numa) return on_host(p);
  if (hint.type == location_type::managed) return p.kind == memory_kind::managed;
  return p.kind == memory_kind::device && p.device == hint.id;
}

bool all_sizes_zero(const known_batch& batch) {
  for (const known_copy& c : batch.copies) {
    if (c.bytes != 0) return false;
  }
  return !batch.copies.empty();
}

errc check_shape(const known_batch& batch) {
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

status check_end(const known_pointer& p, std::size_t bytes, copy_side side) {
  if (!p.allocated) return {errc::not_an_allocation, side};
  if (bytes > p.bytes_left) return {errc::leaves_allocation, side};
  return {};
}

status check_extent(const known_copy& c) {
  if (c.dst.at == nullptr) return {errc::null_pointer, copy_side::destination};
  if (c.src.at == nullptr) return {errc::null_pointer, copy_side::source};
  if (c.bytes > c.capacity) return {errc::size_exceeds_capacity, copy_side::destination};
  const status dst = check_end(c.dst, c.bytes, copy_side::destination);
  return dst.ok() ? check_end(c.src, c.bytes, copy_side::source) : dst;
}

status check_route(const known_batch& batch, std::size_t item, direction first) {
  const known_copy& c = batch.copies[item];
  const attributes attrs = attributes_of(batch, item);
  const batch_rules& rules = batch.rules;
  if (rules.locations_bind && !matches(c.dst, attrs.dst_hint)) {
    return {errc::wrong_location, copy_side::destination};
  }
  if (rules.locations_bind && !matches(c.src, attrs.src_hint)) {
    return {errc::wrong_location, copy_side::source};
  }
  if (!rules.allowed.has(direction_of(c))) return {errc::wrong_direction};
  if (rules.one_direction && direction_of(c) != first) return {errc::mixed_directions};
  const bool across = c.src.kind == memory_kind::device && c.dst.kind == memory_kind::device &&
                      c.src.device != c.dst.device;
  if (rules.peers_need_access && across && !batch.peers_connected) return {errc::no_peer_access};
  return {};
}

}  // namespace

status predicted(const known_batch& batch) {
  if (batch.rules.zeros == zero_sizes::refused_unless_all && all_sizes_zero(batch)) return {};
  if (const errc shape = check_shape(batch); shape != errc::ok) return {shape};

  std::optional<direction> first;
  for (std::size_t item = 0; item != batch.copies.size(); ++item) {
    const known_copy& c = batch.copies[item];
    if (c.bytes == 0) {
      if (batch.rules.zeros == zero_sizes::skipped) continue;
      return {errc::zero_size, copy_side::none, item};
    }
    status s = check_extent(c);
    if (s.ok()) s = check_route(batch, item, first.value_or(direction_of(c)));
    if (!s.ok()) {
      s.item = item;
      return s;
    }
    if (!first) first = direction_of(c);
  }
  return {};
}

}  // namespace convoy::test
