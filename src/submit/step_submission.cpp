#include "submit/step_submission.hpp"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <utility>

#include "model/batch_check.hpp"
#include "model/pitched_check.hpp"
#include "model/reduction_check.hpp"
#include "os/process.hpp"
#include "stream/actions.hpp"
#include "stream/indirect_actions.hpp"
#include "stream/value_actions.hpp"
#include "submit/enqueue.hpp"

namespace convoy {
namespace {

// Checks that the box lies inside one allocation and replaces the address by the engine's. Returns
// the kind of memory and its device.
result<memory_class> to_engine_address(const memory::address_space& space, pitched& end,
                                       const box& extent, copy_side side) {
  const memory::window w = space.window_of(end.start);
  if (const status s = w.check_range(end.start, *span_bytes(end, extent), side); !s.ok()) return s;
  end.start = w.engine_address(end.start);
  return w.memory();
}

// The action for work that accesses these kinds of memory.
template <class Action, class... Arguments>
std::unique_ptr<action> make_accessing(std::initializer_list<memory_kind> kinds,
                                       Arguments&&... arguments) {
  auto made = std::make_unique<Action>(std::forward<Arguments>(arguments)...);
  made->set_may_fault(std::any_of(kinds.begin(), kinds.end(), belongs_to_program));
  return made;
}

// Checks that the range is device memory.
status check_on_device(const memory::address_space& space, const void* start, std::size_t bytes) {
  if (start == nullptr) return {errc::null_pointer};
  const memory::window w = space.window_of(start);
  if (w.kind != memory_kind::device) return {errc::wrong_location, copy_side::none, {}, start};
  return w.check_range(start, bytes, copy_side::none);
}

// Checks that the descriptor is in device memory and that its fields lie inside of it.
status check_descriptor(const memory::address_space& space, const void* descriptor,
                        const descriptor_layout& layout) {
  const auto fits = [&](std::uint32_t offset, std::uint32_t bytes) {
    return offset <= layout.bytes && bytes <= layout.bytes - offset;
  };
  const bool sound = layout.bytes <= max_descriptor_bytes && fits(layout.source_offset, 8) &&
                     fits(layout.destination_offset, 8) && fits(layout.length_offset, 4);
  if (!sound) return {errc::invalid_argument};
  return check_on_device(space, descriptor, layout.bytes);
}

// A value with the engine's address, and the kind of its memory.
struct placed_value {
  stream_value value;
  memory_kind kind;
};
result<placed_value> to_engine_address(const memory::address_space& space,
                                       const stream_value& value) {
  if (value.address == nullptr) return status{errc::null_pointer};
  const bool aligned = (value.bytes == 4 || value.bytes == 8) &&
                       reinterpret_cast<std::uintptr_t>(value.address) % value.bytes == 0;
  if (!aligned) return status{errc::invalid_argument, copy_side::none, {}, value.address};
  const memory::window w = space.window_of(value.address);
  if (w.kind == memory_kind::pageable) {
    return status{errc::wrong_location, copy_side::none, {}, value.address};
  }
  if (const status s = w.check_range(value.address, value.bytes, copy_side::none); !s.ok()) {
    return s;
  }
  return placed_value{{w.engine_address(value.address), value.value, value.bytes}, w.kind};
}

// True when a step without work can be left out. With the default-stream rules even such a step
// waits for others, and others wait for it.
bool can_elide_step(const submit_context& context, const stream_state& stream) {
  if (stream.role == stream_role::legacy) return false;
  return stream.role == stream_role::non_blocking ||
         context.queues(stream.device).legacy()->empty();
}

pitched_copy row_of(const stream_value& value) { return {{value.address}, {}, {value.bytes}}; }

struct recording_step {
  std::unique_ptr<action> work;
  std::uint64_t shared = 0;  // its number among all recordings of an IPC event
};

recording_step make_recording(const event_state& event,
                              std::shared_ptr<marker_action::stamp> time) {
  const auto& shared = event.shared();
  if (!shared) return {std::make_unique<marker_action>(step_kind::record, std::move(time))};
  const std::uint64_t number = shared->begin(os::pid());
  return {std::make_unique<ipc_record_action>(shared, number), number};
}

ticket record_in(const submit_context& context, stream_state& stream, const named_event& named) {
  event_state& event = *named.state;
  auto reached = std::make_shared<signal>(stream.queue);
  auto time = event.timing() ? std::make_shared<marker_action::stamp>(0) : nullptr;
  std::vector<std::shared_ptr<signal>> raises;
  if (auto next = event.take_next_signal()) raises.push_back(std::move(next));
  raises.push_back(reached);
  auto [work, shared] = make_recording(event, time);
  const ticket position = enqueue(
      context, stream,
      {.work = std::move(work),
       .call = {.function = called_function("convoy::record"), .recorded_event = named.handle},
       .raises = std::move(raises)});
  event.set(std::make_shared<const event_recording>(
      event_recording{std::move(reached), {stream.queue, position}, std::move(time), shared}));
  return position;
}

// The ticket of the wait, and true when it needed no step.
std::pair<ticket, bool> wait_in(const submit_context& context, stream_state& stream,
                                const named_event& named) {
  event_state& event = *named.state;
  const submitting_call call{.function = called_function("convoy::wait"),
                             .awaited_event = named.handle};
  if (const std::uint64_t foreign = event.foreign_recording()) {
    auto work = std::make_unique<ipc_wait_action>(event.shared(), foreign);
    return {enqueue(context, stream, {.work = std::move(work), .call = call}), false};
  }
  auto awaited = event.serialize([&] { return event.awaited_signal(); });
  if (!awaited || (awaited->raised() && can_elide_step(context, stream))) {
    return {stream.queue->last(), true};
  }
  const ticket position = enqueue(context, stream,
                                  {.work = std::make_unique<marker_action>(step_kind::wait),
                                   .call = call,
                                   .waits = {std::move(awaited)}});
  return {position, false};
}

}  // namespace

result<ticket> submit_pitched(const submit_context& context, stream_state& stream,
                              const pitched_copy& wanted) {
  if (is_empty(wanted.extent)) return stream.queue->last();
  pitched_copy work = wanted;
  if (const status s = check_pitched(wanted.dst, wanted.extent, copy_side::destination); !s.ok()) {
    return s;
  }
  const auto dst = to_engine_address(context.space, work.dst, work.extent, copy_side::destination);
  if (!dst) return dst.error();
  if (const status s = check_pitched(wanted.src, wanted.extent, copy_side::source); !s.ok()) {
    return s;
  }
  const auto src = to_engine_address(context.space, work.src, work.extent, copy_side::source);
  if (!src) return src.error();
  return enqueue(context, stream,
                 {.work = make_accessing<pitched_action>({dst->kind, src->kind},
                                                         context.ports.between(*dst, *src), work),
                  .call = {.function = called_function("convoy::submit"), .box_copy = &wanted}});
}

result<ticket> submit_fill(const submit_context& context, stream_state& stream,
                           const pitched& target, const box& extent, fill_pattern pattern) {
  if (is_empty(extent)) return stream.queue->last();
  if (const status s = check_fill(pattern, target, extent); !s.ok()) return s;
  pitched work = target;
  const auto memory = to_engine_address(context.space, work, extent, copy_side::destination);
  if (!memory) return memory.error();
  const pitched_copy program_copy{target, {}, extent};
  return enqueue(
      context, stream,
      {.work = make_accessing<fill_action>({memory->kind}, context.ports.port_for(*memory), work,
                                           extent, pattern),
       .call = {.function = called_function("convoy::fill"), .box_copy = &program_copy}});
}

result<ticket> submit_reduce(const submit_context& context, stream_state& stream,
                             const reduction& wanted) {
  if (wanted.bytes == 0) return stream.queue->last();
  if (const status s = check_reduction(wanted); !s.ok()) return s;
  const memory::window dst = context.space.window_of(wanted.dst);
  const memory::window src = context.space.window_of(wanted.src);
  status s = dst.check_range(wanted.dst, wanted.bytes, copy_side::destination);
  if (s.ok()) s = src.check_range(wanted.src, wanted.bytes, copy_side::source);
  if (s.ok()) s = check_disjoint(wanted);
  if (!s.ok()) return s;

  reduction work = wanted;
  work.dst = dst.engine_address(wanted.dst);
  work.src = src.engine_address(wanted.src);
  const pitched_copy program_copy = row_of(wanted);
  return enqueue(
      context, stream,
      {.work = make_accessing<reduce_action>(
           {dst.kind, src.kind}, context.ports.between(dst.memory(), src.memory()), work),
       .call = {.function = called_function("convoy::reduce"), .box_copy = &program_copy}});
}

result<ticket> submit_indirect(const submit_context& context, stream_state& stream,
                               const void* descriptor, const descriptor_layout& layout) {
  if (const status s = check_descriptor(context.space, descriptor, layout); !s.ok()) return s;
  const deferred_copier copier(context.ports, context.space);
  return enqueue(
      context, stream,
      {.work = std::make_unique<indirect_action>(copier, descriptor, layout),
       .call = {.function = called_function("convoy::copy_indirect"), .descriptor = descriptor}});
}

result<ticket> submit_indirect(const submit_context& context, stream_state& stream,
                               const based_copy& wanted) {
  for (const void* base : {wanted.dst_base, wanted.src_base}) {
    if (const status s = check_on_device(context.space, base, sizeof(void*)); !s.ok()) return s;
  }
  const deferred_copier copier(context.ports, context.space);
  return enqueue(
      context, stream,
      {.work = std::make_unique<based_action>(copier, wanted),
       .call = {.function = called_function("convoy::copy_indirect"), .based = &wanted}});
}

result<ticket> submit_prefetch(const submit_context& context, stream_state& stream,
                               const void* descriptor, const descriptor_layout& layout) {
  if (const status s = check_descriptor(context.space, descriptor, layout); !s.ok()) return s;
  const deferred_copier copier(context.ports, context.space);
  return enqueue(
      context, stream,
      {.work = std::make_unique<prefetch_action>(copier, descriptor, layout, stream.device),
       .call = {.function = called_function("convoy::prefetch_indirect"),
                .descriptor = descriptor}});
}

result<ticket> submit_function(const submit_context& context, stream_state& stream,
                               std::function<void()> function) {
  if (!function) return status{errc::null_pointer};
  return enqueue(context, stream,
                 {.work = std::make_unique<function_action>(std::move(function)),
                  .call = {.function = called_function("convoy::call")}});
}

result<ticket> submit_record(const submit_context& context, stream_state& stream,
                             const named_event& event) {
  event_state& state = *event.state;
  if (state.device() != stream.device) return status{errc::wrong_device};
  return state.serialize([&] { return record_in(context, stream, event); });
}

result<ticket> submit_wait(const submit_context& context, stream_state& stream,
                           const named_event& event) {
  const auto [position, elided] = wait_in(context, stream, event);
  observer* const current = context.observers.load();
  if (elided && current != nullptr) {
    current->awaited(
        {event.handle, stream.queue->position_of(position), true, called_function("convoy::wait")});
  }
  return position;
}

result<ticket> submit_write_value(const submit_context& context, stream_state& stream,
                                  const stream_value& value) {
  const auto work = to_engine_address(context.space, value);
  if (!work) return work.error();
  const pitched_copy program_copy = row_of(value);
  return enqueue(
      context, stream,
      {.work = make_accessing<write_value_action>({work->kind}, work->value),
       .call = {.function = called_function("convoy::write_value"), .box_copy = &program_copy}});
}

result<ticket> submit_wait_value(const submit_context& context, stream_state& stream,
                                 const stream_value& value, value_test test) {
  const auto work = to_engine_address(context.space, value);
  if (!work) return work.error();
  if (test > value_test::not_all_bits) return status{errc::invalid_argument};
  auto cancelled = [&queue = *stream.queue] { return queue.head_cancelled(); };
  const pitched_copy program_copy = row_of(value);
  return enqueue(
      context, stream,
      {.work =
           make_accessing<wait_value_action>({work->kind}, work->value, test, std::move(cancelled)),
       .call = {.function = called_function("convoy::wait_value"), .box_copy = &program_copy}});
}

ticket submit_release(const submit_context& context, stream_state& stream) {
  return enqueue(context, stream,
                 {.work = std::make_unique<marker_action>(step_kind::release),
                  .call = {.function = called_function("convoy::deallocate")}});
}

}  // namespace convoy
