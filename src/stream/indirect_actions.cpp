#include "stream/indirect_actions.hpp"

#include <cstring>

#include "model/batch_check.hpp"

namespace convoy {
namespace {

template <class T>
T field(const std::byte* descriptor, std::uint32_t offset) {
  T value;
  std::memcpy(&value, descriptor + offset, sizeof value);
  return value;
}

copy_work work_of(const copy& one) { return {{&one, 1}, {one.bytes, one.bytes, 1}}; }

status at_item_zero(status s) {
  if (!s.ok()) s.item = 0;
  return s;
}

}  // namespace

started_work deferred_copier::start_read(std::span<std::byte> into, const void* from, copy& one,
                                         completion& done) const {
  const memory::window w = space_.window_of(from, retirements_at_submit_);
  if (const status s = w.check_range(from, into.size(), copy_side::none); !s.ok()) return s;
  one = {into.data(), w.engine_address(from), into.size()};
  return ports_.port_for(w.memory()).start(work_of(one), done);
}

started_work deferred_copier::start_copy(copy& one, completion& done) const {
  if (one.bytes == 0) return status{};
  const memory::window dst = space_.window_of(one.dst, retirements_at_submit_);
  const memory::window src = space_.window_of(one.src, retirements_at_submit_);
  status s = check_extent(one);
  if (s.ok()) s = dst.check_range(one.dst, one.bytes, copy_side::destination);
  if (s.ok()) s = src.check_range(one.src, one.bytes, copy_side::source);
  if (!s.ok()) return at_item_zero(s);
  one = {dst.engine_address(one.dst), src.engine_address(one.src), one.bytes};
  return ports_.between(dst.memory(), src.memory()).start(work_of(one), done);
}

status deferred_copier::check_on(device_id device, const void* start, std::size_t bytes) const {
  const memory::window w = space_.window_of(start, retirements_at_submit_);
  if (w.kind != memory_kind::device || w.device != device) {
    return {errc::wrong_location, copy_side::source, 0, start};
  }
  return at_item_zero(w.check_range(start, bytes, copy_side::source));
}

started_work phased_action::start(completion& done) {
  done_ = &done;
  return run_from(0);
}

// The first phase that fails ends the action. After a phase that finishes later, this object
// belongs to the thread that completes it.
started_work phased_action::run_from(int phase) {
  for (; phase != phases_; ++phase) {
    current_ = phase;
    const started_work outcome = start_phase(phase, *this);
    if (!outcome || !outcome->ok()) return outcome;
  }
  return status{};
}

void phased_action::complete(const status& outcome) {
  const started_work all = outcome.ok() ? run_from(current_ + 1) : outcome;
  if (all) done_->complete(*all);
}

copy descriptor_reader::described() const noexcept {
  return {field<void*>(bytes.data(), layout.destination_offset),
          field<const void*>(bytes.data(), layout.source_offset),
          field<std::uint32_t>(bytes.data(), layout.length_offset)};
}

started_work indirect_action::start_phase(int phase, completion& done) {
  if (phase == 0) return reader_.start(copier_, done);
  copy_ = reader_.described();
  return copier_.start_copy(copy_, done);
}

started_work prefetch_action::start_phase(int phase, completion& done) {
  if (phase == 0) return reader_.start(copier_, done);
  const copy found = reader_.described();
  return copier_.check_on(device_, found.src, found.bytes);
}

started_work based_action::start_phase(int phase, completion& done) {
  if (phase == 0) {
    return copier_.start_read(std::as_writable_bytes(std::span(&dst_base_, 1)), wanted_.dst_base,
                              copy_, done);
  }
  if (dst_base_ == nullptr) return status{errc::null_pointer, copy_side::none, 0};
  if (phase == 1) {
    return copier_.start_read(std::as_writable_bytes(std::span(&src_base_, 1)), wanted_.src_base,
                              copy_, done);
  }
  if (src_base_ == nullptr) return status{errc::null_pointer, copy_side::none, 0};
  copy_ = {dst_base_ + wanted_.dst_offset, src_base_ + wanted_.src_offset, wanted_.bytes};
  return copier_.start_copy(copy_, done);
}

}  // namespace convoy
