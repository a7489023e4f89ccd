#include <convoy/memory.hpp>
#include <convoy/stream.hpp>
#include <utility>

#include "model/pitched_check.hpp"
#include "runtime/admission.hpp"
#include "runtime/engine.hpp"
#include "stream/actions.hpp"

namespace convoy {
namespace {

struct target {
  engine* on;
  std::shared_ptr<stream_state> stream;
};

result<target> find(stream_ref stream) {
  const auto e = engine::get();
  if (!e) return e.outcome();
  auto found = (*e)->find(stream);
  if (!found) return found.outcome();
  return target{*e, std::move(*found)};
}

status wait_for(stream_ref stream, std::optional<ticket> last, os::deadline until) {
  const auto to = find(stream);
  if (!to) return to.outcome();
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

}  // namespace

result<device_id> stream_ref::device() const {
  const auto to = find(*this);
  if (!to) return to.outcome();
  return to->stream->device;
}

result<stream_options> stream_ref::options() const {
  const auto to = find(*this);
  if (!to) return to.outcome();
  return to->stream->options;
}

status stream_ref::query() const {
  const auto to = find(*this);
  if (!to) return to.outcome();
  if (!to->stream->queue->empty()) return {errc::not_ready};
  return to->stream->queue->error();
}

result<bool> stream_ref::landed(ticket t) const {
  const auto to = find(*this);
  if (!to) return to.outcome();
  return to->stream->queue->landed(t);
}

status stream_ref::synchronize() const { return wait_for(*this, {}, {}); }

status stream_ref::synchronize(std::chrono::nanoseconds timeout) const {
  return wait_for(*this, {}, os::in(timeout));
}

status stream_ref::synchronize(ticket last) const { return wait_for(*this, last, {}); }

status stream_ref::abort() const {
  const auto to = find(*this);
  if (!to) return to.outcome();
  to->stream->queue->abort();
  return {};
}

status stream_ref::clear_error() const {
  const auto to = find(*this);
  if (!to) return to.outcome();
  to->stream->queue->clear_error();
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
  if (!e) return e.outcome();
  const auto handle = (*e)->add_stream(device, options);
  if (!handle) return handle.outcome();
  return stream(stream_ref(*handle));
}

status destroy(stream_ref stream) {
  const auto to = find(stream);
  if (!to) return to.outcome();
  if (to->stream->standing) return {errc::not_permitted};
  to->stream->queue->clear_error();  // work under way may keep the queue in sight of its device
  to->on->streams().remove(stream.handle());
  return {};
}

result<ticket> submit(stream_ref stream, const batch& work) {
  const auto to = find(stream);
  if (!to) return to.outcome();
  return submit_batch(*to->on, *to->stream, work);
}

result<ticket> submit(stream_ref stream, std::span<const copy> copies, const attributes& what) {
  const auto to = find(stream);
  if (!to) return to.outcome();
  return submit_batch(*to->on, *to->stream, copies, what);
}

result<ticket> submit(stream_ref stream, const batch_view& work, const batch_rules& rules) {
  const auto to = find(stream);
  if (!to) return to.outcome();
  return submit_batch(*to->on, *to->stream, work, rules);
}

result<ticket> submit(stream_ref stream, const copy& one) {
  return submit(stream, std::span(&one, 1));
}

result<ticket> submit(stream_ref stream, const pitched_copy& one) {
  const auto to = find(stream);
  if (!to) return to.outcome();
  if (is_empty(one.extent)) return to->stream->queue->last();
  pitched_copy inside = one;
  for (auto [end, at] : {std::pair{&inside.dst, side::destination}, {&inside.src, side::source}}) {
    if (status s = check_pitched(*end, one.extent, at); !s.ok()) return s;
    if (status s = to_engine_view(to->on->space(), *end, one.extent, at); !s.ok()) return s;
  }
  return to->on->submit(*to->stream, std::make_unique<pitched_action>(to->on->copier(), inside));
}

status copy_sync(stream_ref stream, const copy& one) {
  const auto at = submit(stream, one);
  return at ? stream.synchronize(*at) : at.outcome();
}

result<ticket> fill(stream_ref stream, const pitched& where, const box& extent,
                    fill_pattern pattern) {
  const auto to = find(stream);
  if (!to) return to.outcome();
  if (is_empty(extent)) return to->stream->queue->last();
  pitched inside = where;
  if (status s = check_fill(pattern, where, extent); !s.ok()) return s;
  if (status s = to_engine_view(to->on->space(), inside, extent, side::destination); !s.ok()) {
    return s;
  }
  return to->on->submit(*to->stream,
                        std::make_unique<fill_action>(to->on->copier(), inside, extent, pattern));
}

result<ticket> fill(stream_ref stream, void* where, std::size_t bytes, fill_pattern pattern) {
  return fill(stream, {where, bytes, 0}, {.width = bytes}, pattern);
}

result<ticket> copy_indirect(stream_ref stream, const void* descriptor,
                             const descriptor_layout& layout) {
  const auto to = find(stream);
  if (!to) return to.outcome();
  if (const status s = check_descriptor(to->on->space(), descriptor, layout); !s.ok()) return s;
  return to->on->submit(*to->stream, std::make_unique<indirect_action>(
                                         to->on->copier(), to->on->space(), descriptor, layout));
}

result<ticket> call(stream_ref stream, std::function<void()> function) {
  const auto to = find(stream);
  if (!to) return to.outcome();
  if (!function) return status{errc::null_pointer};
  return to->on->submit(*to->stream, std::make_unique<function_action>(std::move(function)));
}

result<ticket> record(stream_ref stream, event_ref event) {
  const auto to = find(stream);
  if (!to) return to.outcome();
  const auto found = to->on->find(event);
  if (!found) return found.outcome();
  if ((*found)->device() != to->stream->device) return status{errc::wrong_device};

  const auto& queue = to->stream->queue;
  auto reached = std::make_shared<signal>(queue);
  auto time = (*found)->timing() ? std::make_shared<place_action::stamp>(0) : nullptr;
  const ticket at = to->on->submit(
      *to->stream, std::make_unique<place_action>(step_kind::record, time), {}, {reached});
  (*found)->set(
      std::make_shared<const mark>(mark{std::move(reached), {queue, at}, std::move(time)}));
  return at;
}

result<ticket> wait(stream_ref stream, event_ref event) {
  const auto to = find(stream);
  if (!to) return to.outcome();
  const auto found = to->on->find(event);
  if (!found) return found.outcome();
  const auto latest = (*found)->latest();
  if (!latest) return to->stream->queue->last();
  if (latest->reached->raised() && stands_alone(*to)) return to->stream->queue->last();
  return to->on->submit(*to->stream, std::make_unique<place_action>(step_kind::wait),
                        {latest->reached});
}

result<void*> allocate(stream_ref stream, std::size_t bytes) {
  const auto to = find(stream);
  if (!to) return to.outcome();
  return convoy::allocate(to->stream->device, bytes);
}

result<ticket> deallocate(stream_ref stream, void* start) {
  const auto to = find(stream);
  if (!to) return to.outcome();
  const auto gone = to->on->space().retire(start);
  if (!gone) return gone.outcome();
  to->on->tell_freed(start);
  const ticket at = to->on->submit(*to->stream, std::make_unique<place_action>(step_kind::release));
  to->on->graves().bury(*gone, to->on->tails());
  return at;
}

}  // namespace convoy
