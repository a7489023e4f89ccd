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

status late_copier::read(std::span<std::byte> into, const void* from) const {
  const memory::window home = space_.window_of(from, made_at_);
  if (const status s = home.check(from, into.size(), copy_side::none); !s.ok()) return s;
  return run_checked({into.data(), home.inside(from), into.size()});
}

status late_copier::run(const copy& found) const {
  if (found.bytes == 0) return {};
  const memory::window dst = space_.window_of(found.dst, made_at_);
  const memory::window src = space_.window_of(found.src, made_at_);
  status s = check_extent({found});
  if (s.ok()) s = dst.check(found.dst, found.bytes, copy_side::destination);
  if (s.ok()) s = src.check(found.src, found.bytes, copy_side::source);
  if (s.ok()) s = run_checked({dst.inside(found.dst), src.inside(found.src), found.bytes});
  if (!s.ok()) s.item = 0;
  return s;
}

status late_copier::check_on(device_id device, const void* start, std::size_t bytes) const {
  const memory::window home = space_.window_of(start, made_at_);
  if (home.kind != memory_kind::device || home.device != device) {
    return {errc::wrong_location, copy_side::source, 0, start};
  }
  status s = home.check(start, bytes, copy_side::source);
  if (!s.ok()) s.item = 0;
  return s;
}

status late_copier::run_checked(const copy& one) const {
  return on_.run({{&one, 1}, one.bytes, one.bytes, 1});
}

status indirect_action::run() {
  std::array<std::byte, 64> read = {};
  const status s = by_.read(std::span(read).first(layout_.bytes), descriptor_);
  if (!s.ok()) return s;
  return by_.run({field<void*>(read.data(), layout_.destination_offset),
                  field<const void*>(read.data(), layout_.source_offset),
                  field<std::uint32_t>(read.data(), layout_.length_offset)});
}

status prefetch_action::run() {
  std::array<std::byte, 64> read = {};
  const status s = by_.read(std::span(read).first(layout_.bytes), descriptor_);
  if (!s.ok()) return s;
  return by_.check_on(near_, field<const void*>(read.data(), layout_.source_offset),
                      field<std::uint32_t>(read.data(), layout_.length_offset));
}

status based_action::run() {
  const auto dst = end(what_.dst_base, what_.dst_offset);
  if (!dst) return dst.error();
  const auto src = end(what_.src_base, what_.src_offset);
  if (!src) return src.error();
  return by_.run({*dst, *src, what_.bytes});
}

result<std::byte*> based_action::end(const void* base, std::size_t offset) const {
  std::array<std::byte, sizeof(void*)> read = {};
  if (const status s = by_.read(read, base); !s.ok()) return s;
  auto* const start = field<std::byte*>(read.data(), 0);
  if (start == nullptr) return status{errc::null_pointer, copy_side::none, 0};
  return start + offset;
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
