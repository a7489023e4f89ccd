#include <convoy/api_function.hpp>
#include <convoy/memory.hpp>
#include <convoy/stream.hpp>
#include <utility>

#include "runtime/engine.hpp"
#include "runtime/observed_calls.hpp"
#include "submit/batch_submission.hpp"
#include "submit/step_submission.hpp"

namespace convoy {
namespace {

struct target {
  engine* owner;
  stream_state* stream;
};

result<std::shared_ptr<event_state>> find_event(event_ref event) {
  return (*engine::get())->find(event);
}

// Without `function`, the name of the public function, a bad handle is not reported.
result<target> find(stream_ref stream, const char* function = nullptr) {
  const auto e = engine::get();
  if (!e) return e.error();
  const auto found = (*e)->find_cached(stream);
  if (found) return target{*e, *found};
  if (function != nullptr) notify_refused(**e, function, found.error(), stream.handle());
  return found.error();
}

bool landed_by_now(const target& to, ticket position) {
  const work_queue& queue = *to.stream->queue;
  if (queue.landed(position)) return true;
  to.owner->run_work_without_workers();
  return queue.landed(position);
}

// Calls submit(context, stream), and notifies observers when it is refused.
template <class Submit>
result<ticket> submit_to(stream_ref stream, const char* function, const Submit& submit) {
  const auto to = find(stream, function);
  if (!to) return to.error();
  const result<ticket> answer = submit(to->owner->context_for_submit(), *to->stream);
  if (!answer) notify_refused(*to->owner, function, answer.error(), stream.handle());
  return answer;
}

status wait_for(stream_ref stream, std::optional<ticket> last, os::deadline until) {
  constexpr auto function = "convoy::synchronize";
  const auto to = find(stream, function);
  if (!to) return to.error();
  work_queue& queue = *to->stream->queue;
  const ticket position = last.value_or(queue.last());
  if (position > queue.last()) {
    return observed_call(*to->owner, function, status{errc::invalid_argument}, stream.handle());
  }
  to->owner->run_work_without_workers();
  const status outcome = last ? queue.wait(position, until) : queue.drain(position, until);
  if (!gave_up(outcome)) {
    notify_synchronized(*to->owner, queue.position_of(position), sync_kind::wait, function);
  }
  return outcome;
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
  return stream_options{to->stream->role != stream_role::non_blocking, to->stream->priority};
}

status stream_ref::query() const {
  const auto to = find(*this, "convoy::query");
  if (!to) return to.error();
  const work_queue& queue = *to->stream->queue;
  const ticket last = queue.last();
  if (!landed_by_now(*to, last)) return {errc::not_ready};
  notify_synchronized(*to->owner, queue.position_of(last), sync_kind::query, "convoy::query");
  return queue.error();
}

result<bool> stream_ref::landed(ticket t) const {
  const auto to = find(*this, "convoy::landed");
  if (!to) return to.error();
  const work_queue& queue = *to->stream->queue;
  if (!landed_by_now(*to, t)) return false;
  notify_synchronized(*to->owner, queue.position_of(t), sync_kind::query, "convoy::landed");
  return true;
}

status stream_ref::synchronize() const { return wait_for(*this, {}, {}); }

status stream_ref::synchronize(std::chrono::nanoseconds timeout) const {
  return wait_for(*this, {}, os::deadline_after(timeout));
}

status stream_ref::synchronize(ticket last) const { return wait_for(*this, last, {}); }

status stream_ref::abort() const {
  const auto to = find(*this, "convoy::abort");
  if (!to) return to.error();
  to->stream->queue->abort();
  return {};
}

status stream_ref::clear_error() const {
  const auto to = find(*this, "convoy::clear_error");
  if (!to) return to.error();
  to->stream->queue->clear_error();
  return {};
}

status stream_ref::set_after_failure(after_failure behaviour) const {
  const auto to = find(*this, "convoy::set_after_failure");
  if (!to) return to.error();
  to->stream->queue->stop_after_failure(behaviour == after_failure::stop);
  return {};
}

status stream_ref::stop_with(stream_ref other) const {
  const auto e = engine::get();
  if (!e) return e.error();
  constexpr auto function = "convoy::stop_with";
  const auto with = observed_call(**e, function, (*e)->find(other), other.handle());
  if (!with) return with.error();
  const auto joining = observed_call(**e, function, (*e)->find(*this), handle());
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
  const auto handle = observed_call(**e, "convoy::make_stream", (*e)->add_stream(device, options));
  if (!handle) return handle.error();
  return stream(stream_ref(*handle));
}

status destroy(stream_ref stream) {
  const auto to = find(stream, "convoy::destroy");
  if (!to) return to.error();
  if (to->stream->is_default) {
    return observed_call(*to->owner, "convoy::destroy", status{errc::not_permitted},
                         stream.handle());
  }
  to->stream->queue->forget_error();  // the device keeps the queue while it has pending steps
  to->owner->streams().remove(stream.handle());
  return {};
}

result<ticket> submit(stream_ref stream, const batch& work) {
  return submit_to(stream, "convoy::submit", [&](const submit_context& c, stream_state& s) {
    return submit_batch(c, s, work);
  });
}

result<ticket> submit(stream_ref stream, std::span<const copy> copies, const attributes& attrs) {
  return submit_to(stream, "convoy::submit", [&](const submit_context& c, stream_state& s) {
    return submit_batch(c, s, copies, attrs);
  });
}

result<ticket> submit(stream_ref stream, const batch_view& work, const batch_rules& rules) {
  return submit_to(stream, "convoy::submit", [&](const submit_context& c, stream_state& s) {
    return submit_batch(c, s, work, rules);
  });
}

result<ticket> submit(stream_ref stream, const copy& one) {
  return submit(stream, std::span(&one, 1));
}

result<ticket> submit(stream_ref stream, const pitched_copy& one) {
  return submit_to(stream, "convoy::submit", [&](const submit_context& c, stream_state& s) {
    return submit_pitched(c, s, one);
  });
}

status copy_sync(stream_ref stream, const copy& one) {
  const scoped_api_function inside("convoy::copy_sync");
  const auto position = submit(stream, one);
  return position ? stream.synchronize(*position) : position.error();
}

result<ticket> fill(stream_ref stream, const pitched& target, const box& extent,
                    fill_pattern pattern) {
  return submit_to(stream, "convoy::fill", [&](const submit_context& c, stream_state& s) {
    return submit_fill(c, s, target, extent, pattern);
  });
}

result<ticket> fill(stream_ref stream, void* start, std::size_t bytes, fill_pattern pattern) {
  return fill(stream, {start, bytes, 0}, {.width = bytes}, pattern);
}

result<ticket> reduce(stream_ref stream, const reduction& wanted) {
  return submit_to(stream, "convoy::reduce", [&](const submit_context& c, stream_state& s) {
    return submit_reduce(c, s, wanted);
  });
}

result<ticket> copy_indirect(stream_ref stream, const void* descriptor,
                             const descriptor_layout& layout) {
  return submit_to(stream, "convoy::copy_indirect", [&](const submit_context& c, stream_state& s) {
    return submit_indirect(c, s, descriptor, layout);
  });
}

result<ticket> copy_indirect(stream_ref stream, const based_copy& one) {
  return submit_to(stream, "convoy::copy_indirect", [&](const submit_context& c, stream_state& s) {
    return submit_indirect(c, s, one);
  });
}

result<ticket> prefetch_indirect(stream_ref stream, const void* descriptor,
                                 const descriptor_layout& layout) {
  return submit_to(stream, "convoy::prefetch_indirect",
                   [&](const submit_context& c, stream_state& s) {
                     return submit_prefetch(c, s, descriptor, layout);
                   });
}

result<ticket> call(stream_ref stream, std::function<void()> function) {
  return submit_to(stream, "convoy::call", [&](const submit_context& c, stream_state& s) {
    return submit_function(c, s, std::move(function));
  });
}

status keep_alive(stream_ref stream, ticket last, std::shared_ptr<const void> object) {
  const auto to = find(stream, "convoy::keep_alive");
  if (!to) return to.error();
  work_queue& queue = *to->stream->queue;
  if (last > queue.last()) {
    return observed_call(*to->owner, "convoy::keep_alive", status{errc::invalid_argument},
                         stream.handle());
  }
  if (const auto landing = queue.landing_signal(last)) landing->keep_alive(std::move(object));
  return {};
}

result<ticket> record(stream_ref stream, event_ref event) {
  return submit_to(stream, "convoy::record",
                   [&](const submit_context& c, stream_state& s) -> result<ticket> {
                     const auto found = find_event(event);
                     if (!found) return found.error();
                     return submit_record(c, s, {*found, event.handle()});
                   });
}

result<ticket> wait(stream_ref stream, event_ref event) {
  return submit_to(stream, "convoy::wait",
                   [&](const submit_context& c, stream_state& s) -> result<ticket> {
                     const auto found = find_event(event);
                     if (!found) return found.error();
                     return submit_wait(c, s, {*found, event.handle()});
                   });
}

result<ticket> write_value(stream_ref stream, const stream_value& value) {
  return submit_to(stream, "convoy::write_value", [&](const submit_context& c, stream_state& s) {
    return submit_write_value(c, s, value);
  });
}

result<ticket> wait_value(stream_ref stream, const stream_value& value, value_test test) {
  return submit_to(stream, "convoy::wait_value", [&](const submit_context& c, stream_state& s) {
    return submit_wait_value(c, s, value, test);
  });
}

result<void*> allocate(stream_ref stream, std::size_t bytes) {
  const auto to = find(stream, "convoy::allocate");
  if (!to) return to.error();
  return convoy::allocate(to->stream->device, bytes);
}

result<ticket> deallocate(stream_ref stream, void* start) {
  const auto to = find(stream, "convoy::deallocate");
  if (!to) return to.error();
  const observed_memory memory = to->owner->observed(start);
  const auto freed = to->owner->space().retire(start);
  if (!freed) return observed_call<ticket>(*to->owner, "convoy::deallocate", freed.error());
  to->owner->notify_freed(memory);
  const ticket position = submit_release(to->owner->context_for_submit(), *to->stream);
  to->owner->defer_free(*freed, start);
  return position;
}

}  // namespace convoy
