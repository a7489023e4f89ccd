#include <convoy/memory.hpp>
#include <convoy/stream.hpp>
#include <utility>

#include "model/pitched_check.hpp"
#include "model/reduction_check.hpp"
#include "runtime/batch_submission.hpp"
#include "runtime/engine.hpp"
#include "stream/actions.hpp"
#include "stream/value_actions.hpp"

namespace convoy {
namespace {

struct target {
  engine* on;
  stream_state* stream;
};

result<target> find(stream_ref stream) {
  const auto e = engine::get();
  if (!e) return e.error();
  const auto found = (*e)->find_cached(stream);
  if (!found) return found.error();
  return target{*e, *found};
}

status wait_for(stream_ref stream, std::optional<ticket> last, os::deadline until) {
  const auto to = find(stream);
  if (!to) return to.error();
  work_queue& queue = *to->stream->queue;
  if (!last) return queue.drain(queue.last(), until);
  if (*last > queue.last()) return {errc::invalid_argument};
  return queue.wait(*last, until);
}

// True when a step that does nothing orders nothing: the default-stream rules make even such a step
// wait, and others wait for it.
bool stands_alone(const target& to) {
  if (to.stream->role == stream_role::legacy) return false;
  return to.stream->role == stream_role::non_blocking ||
         to.on->queues(to.stream->device).legacy()->empty();
}

// The word at the engine's address.
result<stream_value> inside(const target& to, const stream_value& what) {
  if (what.address == nullptr) return status{errc::null_pointer};
  const bool fits = (what.bytes == 4 || what.bytes == 8) &&
                    reinterpret_cast<std::uintptr_t>(what.address) % what.bytes == 0;
  if (!fits) return status{errc::invalid_argument, copy_side::none, {}, what.address};
  const memory::window home = to.on->space().window_of(what.address);
  if (home.kind == memory_kind::pageable) {
    return status{errc::wrong_location, copy_side::none, {}, what.address};
  }
  if (const status s = home.check_range(what.address, what.bytes, copy_side::none); !s.ok())
    return s;
  return stream_value{home.engine_address(what.address), what.value, what.bytes};
}

struct recording {
  std::unique_ptr<action> work;
  std::uint64_t shared = 0;
};

recording recording_of(const event_state& event, std::shared_ptr<marker_action::stamp> time) {
  const auto& shared = event.shared();
  if (!shared) return {std::make_unique<marker_action>(step_kind::record, std::move(time))};
  const std::uint64_t number = shared->begin(os::pid());
  return {std::make_unique<ipc_record_action>(shared, number), number};
}

ticket record_in(const target& to, event_state& event) {
  const auto& queue = to.stream->queue;
  auto reached = std::make_shared<signal>(queue);
  auto time = event.timing() ? std::make_shared<marker_action::stamp>(0) : nullptr;
  std::vector<std::shared_ptr<signal>> raises;
  if (auto coming = event.take_next_signal()) raises.push_back(std::move(coming));
  raises.push_back(reached);
  auto [work, shared] = recording_of(event, time);
  const ticket at = to.on->submit(*to.stream, std::move(work), {}, std::move(raises));
  event.set(std::make_shared<const event_recording>(
      event_recording{std::move(reached), {queue, at}, std::move(time), shared}));
  return at;
}

}  // namespace

result<device_id> stream_ref::device() const {
  const auto to = find(*this);
  if (!to) return to.error();
  return to->stream->device;
}

result<stream_options> stream_ref::options() const {
  const auto to = find(*this);
  if (!to) return to.error();
  return to->stream->options;
}

status stream_ref::query() const {
  const auto to = find(*this);
  if (!to) return to.error();
  if (!to->stream->queue->empty()) return {errc::not_ready};
  return to->stream->queue->error();
}

result<bool> stream_ref::landed(ticket t) const {
  const auto to = find(*this);
  if (!to) return to.error();
  return to->stream->queue->landed(t);
}

status stream_ref::synchronize() const { return wait_for(*this, {}, {}); }

status stream_ref::synchronize(std::chrono::nanoseconds timeout) const {
  return wait_for(*this, {}, os::deadline_after(timeout));
}

status stream_ref::synchronize(ticket last) const { return wait_for(*this, last, {}); }

status stream_ref::abort() const {
  const auto to = find(*this);
  if (!to) return to.error();
  to->stream->queue->abort();
  return {};
}

status stream_ref::clear_error() const {
  const auto to = find(*this);
  if (!to) return to.error();
  to->stream->queue->clear_error();
  return {};
}

status stream_ref::set_after_failure(after_failure what) const {
  const auto to = find(*this);
  if (!to) return to.error();
  to->stream->queue->stop_after_failure(what == after_failure::stop);
  return {};
}

status stream_ref::stop_with(stream_ref other) const {
  const auto e = engine::get();
  if (!e) return e.error();
  const auto with = (*e)->find(other);
  if (!with) return with.error();
  const auto joining = (*e)->find(*this);
  if (!joining) return joining.error();
  (*joining)->queue->stop_with((*with)->queue->own_stop_group());
  return {};
}

stream& stream::operator=(stream&& other) noexcept {
  std::swap(ref(), other.ref());
  return *this;
}

stream::~stream() {
  if (handle() != 0) static_cast<void>(destroy(*this));
}

result<stream> make_stream(device_id device, stream_options options) {
  const auto e = engine::get();
  if (!e) return e.error();
  const auto handle = (*e)->add_stream(device, options);
  if (!handle) return handle.error();
  return stream(stream_ref(*handle));
}

status destroy(stream_ref stream) {
  const auto to = find(stream);
  if (!to) return to.error();
  if (to->stream->is_default) return {errc::not_permitted};
  to->stream->queue->disown_error();  // work under way may keep the queue in sight of its device
  to->on->streams().remove(stream.handle());
  return {};
}

result<ticket> submit(stream_ref stream, const batch& work) {
  const auto to = find(stream);
  if (!to) return to.error();
  return submit_batch(*to->on, *to->stream, work);
}

result<ticket> submit(stream_ref stream, std::span<const copy> copies, const attributes& what) {
  const auto to = find(stream);
  if (!to) return to.error();
  return submit_batch(*to->on, *to->stream, copies, what);
}

result<ticket> submit(stream_ref stream, const batch_view& work, const batch_rules& rules) {
  const auto to = find(stream);
  if (!to) return to.error();
  return submit_batch(*to->on, *to->stream, work, rules);
}

result<ticket> submit(stream_ref stream, const copy& one) {
  return submit(stream, std::span(&one, 1));
}

result<ticket> submit(stream_ref stream, const pitched_copy& one) {
  const auto to = find(stream);
  if (!to) return to.error();
  if (is_empty(one.extent)) return to->stream->queue->last();
  pitched_copy inside = one;
  for (auto [end, at] :
       {std::pair{&inside.dst, copy_side::destination}, {&inside.src, copy_side::source}}) {
    if (status s = check_pitched(*end, one.extent, at); !s.ok()) return s;
    if (status s = to_engine_addresses(to->on->space(), *end, one.extent, at); !s.ok()) return s;
  }
  return to->on->submit(*to->stream, std::make_unique<pitched_action>(to->on->copier(), inside));
}

status copy_sync(stream_ref stream, const copy& one) {
  const auto at = submit(stream, one);
  return at ? stream.synchronize(*at) : at.error();
}

result<ticket> fill(stream_ref stream, const pitched& where, const box& extent,
                    fill_pattern pattern) {
  const auto to = find(stream);
  if (!to) return to.error();
  if (is_empty(extent)) return to->stream->queue->last();
  pitched inside = where;
  if (status s = check_fill(pattern, where, extent); !s.ok()) return s;
  if (status s = to_engine_addresses(to->on->space(), inside, extent, copy_side::destination);
      !s.ok()) {
    return s;
  }
  return to->on->submit(*to->stream,
                        std::make_unique<fill_action>(to->on->copier(), inside, extent, pattern));
}

result<ticket> fill(stream_ref stream, void* where, std::size_t bytes, fill_pattern pattern) {
  return fill(stream, {where, bytes, 0}, {.width = bytes}, pattern);
}

result<ticket> reduce(stream_ref stream, const reduction& what) {
  const auto to = find(stream);
  if (!to) return to.error();
  if (what.bytes == 0) return to->stream->queue->last();
  reduction inside = what;
  if (status s = check_reduction(what); !s.ok()) return s;
  if (status s = to_engine_addresses(to->on->space(), inside); !s.ok()) return s;
  if (status s = check_disjoint(what); !s.ok()) return s;
  return to->on->submit(*to->stream, std::make_unique<reduce_action>(to->on->copier(), inside));
}

result<ticket> copy_indirect(stream_ref stream, const void* descriptor,
                             const descriptor_layout& layout) {
  const auto to = find(stream);
  if (!to) return to.error();
  if (const status s = check_descriptor(to->on->space(), descriptor, layout); !s.ok()) return s;
  const deferred_copier by(to->on->copier(), to->on->space());
  return to->on->submit(*to->stream, std::make_unique<indirect_action>(by, descriptor, layout));
}

result<ticket> copy_indirect(stream_ref stream, const based_copy& one) {
  const auto to = find(stream);
  if (!to) return to.error();
  for (const void* base : {one.dst_base, one.src_base}) {
    const status s = check_on_device(to->on->space(), base, sizeof(void*));
    if (!s.ok()) return s;
  }
  const deferred_copier by(to->on->copier(), to->on->space());
  return to->on->submit(*to->stream, std::make_unique<based_action>(by, one));
}

result<ticket> prefetch_indirect(stream_ref stream, const void* descriptor,
                                 const descriptor_layout& layout) {
  const auto to = find(stream);
  if (!to) return to.error();
  if (const status s = check_descriptor(to->on->space(), descriptor, layout); !s.ok()) return s;
  const deferred_copier by(to->on->copier(), to->on->space());
  return to->on->submit(
      *to->stream, std::make_unique<prefetch_action>(by, descriptor, layout, to->stream->device));
}

result<ticket> call(stream_ref stream, std::function<void()> function) {
  const auto to = find(stream);
  if (!to) return to.error();
  if (!function) return status{errc::null_pointer};
  return to->on->submit(*to->stream, std::make_unique<function_action>(std::move(function)));
}

status keep_alive(stream_ref stream, ticket until, std::shared_ptr<const void> what) {
  const auto to = find(stream);
  if (!to) return to.error();
  work_queue& queue = *to->stream->queue;
  if (until > queue.last()) return {errc::invalid_argument};
  if (const auto landing = queue.landing_signal(until)) landing->keep_alive(std::move(what));
  return {};
}

result<ticket> record(stream_ref stream, event_ref event) {
  const auto to = find(stream);
  if (!to) return to.error();
  const auto found = to->on->find(event);
  if (!found) return found.error();
  if ((*found)->device() != to->stream->device) return status{errc::wrong_device};

  return (*found)->serialize([&] { return record_in(*to, **found); });
}

result<ticket> wait(stream_ref stream, event_ref event) {
  const auto to = find(stream);
  if (!to) return to.error();
  const auto found = to->on->find(event);
  if (!found) return found.error();
  if (const std::uint64_t foreign = (*found)->foreign_recording()) {
    return to->on->submit(*to->stream,
                          std::make_unique<ipc_wait_action>((*found)->shared(), foreign));
  }
  auto awaited = (*found)->serialize([&] { return (*found)->awaited_signal(); });
  if (!awaited || (awaited->raised() && stands_alone(*to))) return to->stream->queue->last();
  return to->on->submit(*to->stream, std::make_unique<marker_action>(step_kind::wait),
                        {std::move(awaited)});
}

result<ticket> write_value(stream_ref stream, const stream_value& what) {
  const auto to = find(stream);
  if (!to) return to.error();
  const auto there = inside(*to, what);
  if (!there) return there.error();
  return to->on->submit(*to->stream, std::make_unique<write_value_action>(*there));
}

result<ticket> wait_value(stream_ref stream, const stream_value& what, value_test test) {
  const auto to = find(stream);
  if (!to) return to.error();
  const auto there = inside(*to, what);
  if (!there) return there.error();
  if (test > value_test::not_all_bits) return status{errc::invalid_argument};
  const work_queue& queue = *to->stream->queue;
  auto gives_up = [&queue] { return queue.head_cancelled(); };
  return to->on->submit(*to->stream,
                        std::make_unique<wait_value_action>(*there, test, std::move(gives_up)));
}

result<void*> allocate(stream_ref stream, std::size_t bytes) {
  const auto to = find(stream);
  if (!to) return to.error();
  return convoy::allocate(to->stream->device, bytes);
}

result<ticket> deallocate(stream_ref stream, void* start) {
  const auto to = find(stream);
  if (!to) return to.error();
  const auto gone = to->on->space().retire(start);
  if (!gone) return gone.error();
  to->on->notify_freed(start);
  const ticket at =
      to->on->submit(*to->stream, std::make_unique<marker_action>(step_kind::release));
  to->on->defer_free(*gone, start);
  return at;
}

}  // namespace convoy
