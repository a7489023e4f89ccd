#include <convoy/event.hpp>

#include "runtime/engine.hpp"
#include "runtime/observed_calls.hpp"

namespace convoy {
namespace {

result<std::shared_ptr<event_state>> find(event_ref event, const char* function) {
  const auto e = engine::get();
  if (!e) return e.error();
  return observed_call(**e, function, (*e)->find(event));
}

// The other process may wait for posted work of this one.
status wait_for_process(ipc_event& shared, std::uint64_t recording, os::deadline until) {
  engine& e = **engine::get();
  for (;;) {
    if (e.has_workers()) return shared.wait(recording, until);
    e.run_work_without_workers();
    const auto turn_end = os::clock::now() + std::chrono::milliseconds(1);
    const bool last_turn = until && *until <= turn_end;
    const status outcome = shared.wait(recording, last_turn ? until : turn_end);
    if (last_turn || outcome.code != errc::timed_out) return outcome;
  }
}

bool landed_by_now(const event_recording& recording) {
  if (!recording.landed()) (*engine::get())->run_work_without_workers();
  return recording.landed();
}

status wait_for(event_ref event, os::deadline until) {
  const auto found = find(event, "convoy::synchronize");
  if (!found) return found.error();
  if (const std::uint64_t foreign = (*found)->foreign_recording()) {
    return wait_for_process(*(*found)->shared(), foreign, until);
  }
  (*engine::get())->run_work_without_workers();
  const auto latest = (*found)->latest();
  if (!latest) return {};
  const auto& [queue, position] = latest->recorded_at;
  const status outcome = queue->wait(position, until);
  if (!gave_up(outcome)) {
    notify_synchronized(**engine::get(), queue->position_of(position), sync_kind::wait,
                        "convoy::synchronize");
  }
  return outcome;
}

result<event> add_event(engine& e, device_id device, event_options options) {
  if (!e.has(device)) return status{errc::invalid_device};
  if (options.latched && options.interprocess) return status{errc::not_supported};
  std::shared_ptr<ipc_event> shared;
  if (options.interprocess) {
    auto made = e.ipc().make_event();
    if (!made) return made.error();
    shared = std::move(*made);
    options.timing = false;
  }
  return e.add_event(
      std::make_shared<event_state>(device, options.timing, options.latched, std::move(shared)));
}

}  // namespace

status event_ref::query() const {
  const auto found = find(*this, "convoy::query");
  if (!found) return found.error();
  if (const std::uint64_t foreign = (*found)->foreign_recording()) {
    if ((*found)->shared()->has_landed(foreign)) return {};
    (*engine::get())->run_work_without_workers();  // the other process may wait for it
    return {errc::not_ready};
  }
  const auto latest = (*found)->latest();
  const bool reached = latest ? landed_by_now(*latest) : !(*found)->latched();
  if (reached && latest) {
    const auto& [queue, position] = latest->recorded_at;
    notify_synchronized(**engine::get(), queue->position_of(position), sync_kind::query,
                        "convoy::query");
  }
  return {reached ? errc::ok : errc::not_ready};
}

status event_ref::synchronize() const { return wait_for(*this, {}); }

status event_ref::synchronize(std::chrono::nanoseconds timeout) const {
  return wait_for(*this, os::deadline_after(timeout));
}

event& event::operator=(event&& other) noexcept {
  std::swap(ref(), other.ref());
  return *this;
}

event::~event() {
  if (handle() != 0) static_cast<void>(destroy(*this));
}

result<event> make_event(device_id device, event_options options) {
  const auto e = engine::get();
  if (!e) return e.error();
  return observed_call(**e, "convoy::make_event", add_event(**e, device, options));
}

status destroy(event_ref event) {
  const auto found = find(event, "convoy::destroy");
  if (!found) return found.error();
  const auto e = engine::get();
  (*e)->events().remove(event.handle());
  (*found)->retire();
  return {};
}

result<std::chrono::nanoseconds> elapsed(event_ref start, event_ref end) {
  constexpr auto function = "convoy::elapsed";
  const auto from = find(start, function);
  if (!from) return from.error();
  const auto to = find(end, function);
  if (!to) return to.error();
  return observed_call(**engine::get(), function, elapsed_between(**from, **to));
}

result<std::chrono::steady_clock::time_point> time_of(event_ref event) {
  constexpr auto function = "convoy::time_of";
  const auto found = find(event, function);
  if (!found) return found.error();
  return observed_call(**engine::get(), function, time_of(**found));
}

status reset(event_ref event) {
  constexpr auto function = "convoy::reset";
  const auto found = find(event, function);
  if (!found) return found.error();
  if (!(*found)->latched()) {
    return observed_call(**engine::get(), function, status{errc::not_supported});
  }
  (*found)->reset();
  return {};
}

}  // namespace convoy
