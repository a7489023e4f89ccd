#include "submit/batch_validator.hpp"

namespace convoy {
namespace {

memory_class class_of(const memory::window& w) { return {w.kind, w.device}; }

}  // namespace

// Checks all rules for a copy that is not in the windows of the previous one.
status batch_validator::validate_first(const copy& c, std::size_t capacity,
                                       const attributes& attrs) {
  if (c.bytes == 0) {
    return {context_.rules.zeros == zero_sizes::skipped ? errc::ok : errc::zero_size};
  }
  if (const status s = check_extent(c, capacity); !s.ok()) return s;
  windows_.dst.assign(context_.space.window_of(c.dst));
  windows_.src.assign(context_.space.window_of(c.src));
  if (const status s = check_window(windows_.dst, c.dst, c.bytes, copy_side::destination); !s.ok())
    return s;
  if (const status s = check_window(windows_.src, c.src, c.bytes, copy_side::source); !s.ok())
    return s;
  return check_route_of(c, attrs);
}

// Where the rules accept host memory that is registered in part, the window becomes all memory of
// the program, as pageable memory.
status batch_validator::check_window(memory::window& w, const void* start, std::size_t size,
                                     copy_side side) const {
  if (w.contains(start, size)) return {};
  const bool is_program_memory =
      w.kind == memory_kind::registered || w.kind == memory_kind::pageable;
  if (context_.rules.registered_in_part && is_program_memory)
    w.assign(context_.space.program_window(start));
  return w.check_range(start, size, side);
}

status batch_validator::validate_single(const copy& c, std::size_t capacity,
                                        const attributes& attrs, copy* out, std::size_t item) {
  status s = validate_first(c, capacity, attrs);
  if (!s.ok()) {
    s.item = item;
    return s;
  }
  const copy inside = c.bytes == 0 ? c
                                   : copy{windows_.dst.engine_address(c.dst),
                                          windows_.src.engine_address(c.src), c.bytes};
  out[item] = inside;
  found_.totals.add(inside);
  return {};
}

status batch_validator::check_route_of(const copy& c, const attributes& attrs) {
  const auto& [dst, src] = windows_;
  const route r{class_of(src), class_of(dst),
                context_.peers.connected(src.device, dst.device) ||
                    context_.peers.connected(dst.device, src.device)};
  status s = check_route(r, attrs, context_.rules, first_direction_);
  if (!s.ok()) s.address = s.side == copy_side::source ? c.src : c.dst;
  const direction copied = direction_between(src.kind, dst.kind);
  if (!first_direction_) first_direction_ = copied;
  found_.directions_used = found_.directions_used.with(copied);
  found_.pageable =
      found_.pageable || src.kind == memory_kind::pageable || dst.kind == memory_kind::pageable;
  found_.may_fault =
      found_.may_fault || belongs_to_program(src.kind) || belongs_to_program(dst.kind);
  return s;
}

}  // namespace convoy
