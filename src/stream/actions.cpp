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
          .items = copy_.extent.height * copy_.extent.depth,
          .bytes = volume(copy_.extent),
          .rows = &copy_};
}

step_summary fill_action::summary() const noexcept {
  return {.kind = step_kind::fill,
          .items = copy_.extent.height * copy_.extent.depth,
          .bytes = volume(copy_.extent),
          .rows = &copy_};
}

status deferred_copier::read(std::span<std::byte> into, const void* from) const {
  const memory::window home = space_.window_of(from, retirements_at_submit_);
  if (const status s = home.check_range(from, into.size(), copy_side::none); !s.ok()) return s;
  return run_checked({into.data(), home.engine_address(from), into.size()});
}

status deferred_copier::run(const copy& found) const {
  if (found.bytes == 0) return {};
  const memory::window dst = space_.window_of(found.dst, retirements_at_submit_);
  const memory::window src = space_.window_of(found.src, retirements_at_submit_);
  status s = check_extent(found);
  if (s.ok()) s = dst.check_range(found.dst, found.bytes, copy_side::destination);
  if (s.ok()) s = src.check_range(found.src, found.bytes, copy_side::source);
  if (s.ok())
    s = run_checked({dst.engine_address(found.dst), src.engine_address(found.src), found.bytes});
  if (!s.ok()) s.item = 0;
  return s;
}

status deferred_copier::check_on(device_id device, const void* start, std::size_t bytes) const {
  const memory::window home = space_.window_of(start, retirements_at_submit_);
  if (home.kind != memory_kind::device || home.device != device) {
    return {errc::wrong_location, copy_side::source, 0, start};
  }
  status s = home.check_range(start, bytes, copy_side::source);
  if (!s.ok()) s.item = 0;
  return s;
}

status deferred_copier::run_checked(const copy& one) const {
  return device_.run({{&one, 1}, one.bytes, one.bytes, 1});
}

status indirect_action::run() {
  std::array<std::byte, 64> read = {};
  const status s = copier_.read(std::span(read).first(layout_.bytes), descriptor_);
  if (!s.ok()) return s;
  return copier_.run({field<void*>(read.data(), layout_.destination_offset),
                      field<const void*>(read.data(), layout_.source_offset),
                      field<std::uint32_t>(read.data(), layout_.length_offset)});
}

status prefetch_action::run() {
  std::array<std::byte, 64> read = {};
  const status s = copier_.read(std::span(read).first(layout_.bytes), descriptor_);
  if (!s.ok()) return s;
  return copier_.check_on(near_, field<const void*>(read.data(), layout_.source_offset),
                          field<std::uint32_t>(read.data(), layout_.length_offset));
}

status based_action::run() {
  const auto dst = end(copy_.dst_base, copy_.dst_offset);
  if (!dst) return dst.error();
  const auto src = end(copy_.src_base, copy_.src_offset);
  if (!src) return src.error();
  return copier_.run({*dst, *src, copy_.bytes});
}

result<std::byte*> based_action::end(const void* base, std::size_t offset) const {
  std::array<std::byte, sizeof(void*)> read = {};
  if (const status s = copier_.read(read, base); !s.ok()) return s;
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
