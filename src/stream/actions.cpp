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

std::size_t copy_list::item_at(std::size_t position) const noexcept {
  for (const std::size_t each : skipped) {
    if (each > position) break;
    ++position;
  }
  return position;
}

status copy_action::run() {
  status s = on_.run(list_.work);
  if (s.item) s.item = list_.item_at(*s.item);
  return s;
}

step_summary pitched_action::summary() const noexcept {
  return {step_kind::pitched, what_.extent.height * what_.extent.depth, volume(what_.extent)};
}

step_summary fill_action::summary() const noexcept {
  return {step_kind::fill, extent_.height * extent_.depth, volume(extent_)};
}

status indirect_action::run() {
  // The descriptor may have been freed since; its own place is looked up again.
  const memory::window home = space_.window_of(descriptor_);
  if (!home.holds(reinterpret_cast<std::uintptr_t>(descriptor_), layout_.bytes)) {
    return {errc::leaves_allocation, side::none, 0, descriptor_};
  }
  // Read through the device, because the descriptor is memory another stream may be writing to.
  std::array<std::byte, 64> read = {};
  const copy fetch{read.data(), space_.engine_view(descriptor_), layout_.bytes};
  if (status s = on_.run({{&fetch, 1}, fetch.bytes, fetch.bytes, 1}); !s.ok()) return s;

  const copy found{field<void*>(read.data(), layout_.destination_at),
                   field<const void*>(read.data(), layout_.source_at),
                   field<std::uint32_t>(read.data(), layout_.length_at)};
  if (found.bytes == 0) return {};
  const memory::window dst = space_.window_of(found.dst);
  const memory::window src = space_.window_of(found.src);
  status s = check_extent({found});
  if (s.ok() && !dst.holds(reinterpret_cast<std::uintptr_t>(found.dst), found.bytes)) {
    s = {errc::leaves_allocation, side::destination, {}, found.dst};
  }
  if (s.ok() && !src.holds(reinterpret_cast<std::uintptr_t>(found.src), found.bytes)) {
    s = {errc::leaves_allocation, side::source, {}, found.src};
  }
  if (!s.ok()) {
    s.item = 0;
    return s;
  }
  const copy moved{space_.engine_view(found.dst), space_.engine_view(found.src), found.bytes};
  return on_.run({{&moved, 1}, moved.bytes, moved.bytes, 1});
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
