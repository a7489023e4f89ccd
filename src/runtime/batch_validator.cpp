#include "runtime/batch_validator.hpp"

namespace convoy {
namespace {

memory_class class_of(const memory::window& w) { return {w.kind, w.device}; }

}  // namespace

// A copy that is not plainly like the one before: everything is checked from the start.
status inspector::look_up(const copy& c, std::size_t capacity, const attributes& what) {
  if (c.bytes == 0) {
    return {context_.rules.zeros == zero_sizes::skipped ? errc::ok : errc::zero_size};
  }
  if (const status s = check_extent({c, capacity}); !s.ok()) return s;
  here_.dst.become(context_.space.window_of(c.dst));
  here_.src.become(context_.space.window_of(c.src));
  if (const status s = here_.dst.check(c.dst, c.bytes, copy_side::destination); !s.ok()) return s;
  if (const status s = here_.src.check(c.src, c.bytes, copy_side::source); !s.ok()) return s;
  return check_places(c, what);
}

status inspector::inspect_single(const copy& c, std::size_t capacity, const attributes& what,
                                 copy* out, std::size_t item) {
  status s = look_up(c, capacity, what);
  if (!s.ok()) {
    s.item = item;
    return s;
  }
  const copy inside =
      c.bytes == 0 ? c : copy{here_.dst.inside(c.dst), here_.src.inside(c.src), c.bytes};
  out[item] = inside;
  found_.sums.bytes += inside.bytes;
  found_.sums.largest = std::max(found_.sums.largest, inside.bytes);
  found_.sums.line_bits |= reinterpret_cast<std::uintptr_t>(inside.dst) | inside.bytes;
  return {};
}

status inspector::check_places(const copy& c, const attributes& what) {
  const auto& [dst, src] = here_;
  const route r{class_of(src), class_of(dst),
                context_.peers.connected(src.device, dst.device) ||
                    context_.peers.connected(dst.device, src.device)};
  status s = check_route(r, what, context_.rules, first_way_);
  if (!s.ok()) s.address = s.side == copy_side::source ? c.src : c.dst;
  const direction way = direction_between(src.kind, dst.kind);
  if (!first_way_) first_way_ = way;
  found_.ways = found_.ways.with(way);
  found_.pageable =
      found_.pageable || src.kind == memory_kind::pageable || dst.kind == memory_kind::pageable;
  return s;
}

}  // namespace convoy
