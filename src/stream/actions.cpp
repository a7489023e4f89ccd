#include "stream/actions.hpp"

#include <array>
#include <cstring>

#include "model/batch_check.hpp"

namespace convoy {
namespace {

std::size_t volume(const box& extent) { return extent.width * extent.height * extent.depth; }

template <class T>
T field(const std::byte* descriptor, std::uint32_t at) {
  T value;
  std::memcpy(&value, descriptor + at, sizeof value);
  return value;
}

}  // namespace

step_summary pitched_action::summary() const noexcept {
  return {.kind = step_kind::pitched,
          .items = what_.extent.height * what_.extent.depth,
          .bytes = volume(what_.extent),
          .rows = &what_};
}

step_summary fill_action::summary() const noexcept {
  return {.kind = step_kind::fill,
          .items = what_.extent.height * what_.extent.depth,
          .bytes = volume(what_.extent),
          .rows = &what_};
}

status indirect_action::run() {
  const memory::window home = space_.window_of(descriptor_, submitted_at_);
  status s = home.check(descriptor_, layout_.bytes, side::none);
  std::array<std::byte, 64> read = {};
  // Read by the device, because the descriptor is memory that may be gone.
  if (s.ok()) s = run_one({read.data(), home.inside(descriptor_), layout_.bytes});
  if (!s.ok()) return s;

  const copy found{field<void*>(read.data(), layout_.destination_at),
                   field<const void*>(read.data(), layout_.source_at),
                   field<std::uint32_t>(read.data(), layout_.length_at)};
  if (found.bytes == 0) return {};
  const memory::window dst = space_.window_of(found.dst, submitted_at_);
  const memory::window src = space_.window_of(found.src, submitted_at_);
  s = check_extent({found});
  if (s.ok()) s = dst.check(found.dst, found.bytes, side::destination);
  if (s.ok()) s = src.check(found.src, found.bytes, side::source);
  if (s.ok()) s = run_one({dst.inside(found.dst), src.inside(found.src), found.bytes});
  if (!s.ok()) s.item = 0;
  return s;
}

status indirect_action::run_one(const copy& one) {
  return on_.run({{&one, 1}, one.bytes, one.bytes, 1});
}

status function_action::run() {
  try {
    function_();
  } catch (...) {
    return {errc::function_threw};
  }
  return {};
}

}  // namespace convoy
