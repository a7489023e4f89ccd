#include <array>
#include <convoy/device.hpp>
#include <vector>

#include "runtime/engine.hpp"
#include "runtime/observed_calls.hpp"

namespace convoy {
namespace {

// The engine, or invalid_device. Without `function`, the name of the public function, the refusal
// is not reported.
result<engine*> engine_with(device_id id, const char* function = nullptr) {
  const auto e = engine::get();
  if (!e || (*e)->has(id)) return e;
  if (function != nullptr) notify_refused(**e, function, {errc::invalid_device});
  return status{errc::invalid_device};
}

result<engine*> engine_with_peers(device_id from, device_id to, const char* function = nullptr) {
  const auto e = engine_with(from, function);
  if (!e || ((*e)->has(to) && from != to)) return e;
  if (function != nullptr) notify_refused(**e, function, {errc::invalid_device});
  return status{errc::invalid_device};
}

// The per-thread default streams. They end with the thread; their pending steps still run.
struct thread_streams {
  std::array<stream_ref, max_devices> streams = {};

  thread_streams() = default;
  thread_streams(const thread_streams&) = delete;
  thread_streams& operator=(const thread_streams&) = delete;
  ~thread_streams() {
    const auto e = engine::get();
    for (const stream_ref each : streams) {
      if (e && each != stream_ref{}) (*e)->streams().remove(each.handle());
    }
  }
};

// Waits for each position; answers the first error, or timed_out.
status wait_for_all(engine& e, const std::vector<stream_position>& positions, os::deadline until,
                    const char* function) {
  e.run_work_without_workers();
  status first;
  for (const stream_position& each : positions) {
    const status s = each.queue->drain(each.position, until);
    if (gave_up(s)) return s;
    notify_synchronized(e, each.queue->position_of(each.position), sync_kind::wait, function);
    if (first.ok()) first = s;
  }
  return first;
}

status wait_for_device(device_id id, os::deadline until) {
  constexpr auto function = "convoy::device::synchronize";
  const auto e = engine_with(id, function);
  if (!e) return e.error();
  return wait_for_all(**e, (*e)->queues(id).ends(), until, function);
}

}  // namespace

result<int> device_count() {
  const auto e = engine::get();
  if (!e) return e.error();
  return (*e)->device_count();
}

result<std::vector<device_usage>> device_usages() {
  const auto config = engine::planned_configuration();
  if (!config) return config.error();
  std::vector<device_usage> all(static_cast<std::size_t>(config->devices),
                                device_usage{.total = config->device_memory});
  engine* const running = engine::if_running();
  if (running == nullptr) return all;
  running->deferred().sweep();
  for (int i = 0; i != config->devices; ++i) {
    device_usage& each = all[static_cast<std::size_t>(i)];
    each.used = running->space().used(device_id{i});
    each.busy = !running->queues(device_id{i}).tails().empty();
  }
  return all;
}

status device::synchronize() const { return wait_for_device(id_, {}); }

status device::synchronize(std::chrono::nanoseconds timeout) const {
  return wait_for_device(id_, os::deadline_after(timeout));
}

status device::synchronize_blocking_streams() const {
  constexpr auto function = "convoy::device::synchronize_blocking_streams";
  const auto e = engine_with(id_, function);
  if (!e) return e.error();
  return wait_for_all(**e, (*e)->queues(id_).ordered_ends(), {}, function);
}

status device::query_blocking_streams() const {
  constexpr auto function = "convoy::device::query_blocking_streams";
  const auto e = engine_with(id_, function);
  if (!e) return e.error();
  (*e)->run_work_without_workers();
  const auto positions = (*e)->queues(id_).ordered_ends();
  for (const stream_position& each : positions) {
    if (!each.queue->landed(each.position)) return {errc::not_ready};
  }
  status first;
  for (const stream_position& each : positions) {
    notify_synchronized(**e, each.queue->position_of(each.position), sync_kind::query, function);
    if (first.ok()) first = each.queue->error();
  }
  return first;
}

result<stream_ref> device::default_stream() const {
  const auto e = engine_with(id_, "convoy::device::default_stream");
  if (!e) return e.error();
  return (*e)->legacy_stream(id_);
}

result<stream_ref> device::thread_stream() const {
  constexpr auto function = "convoy::device::thread_stream";
  const auto e = engine_with(id_, function);
  if (!e) return e.error();
  thread_local thread_streams own;
  stream_ref& wanted = own.streams[static_cast<std::size_t>(number(id_))];
  if (wanted != stream_ref{}) return wanted;

  const auto handle = observed_call(**e, function, (*e)->add_stream(id_, {}));
  if (!handle) return handle.error();
  wanted = stream_ref(*handle);
  (*(*e)->find(wanted))->is_default = true;
  return wanted;
}

result<bool> device::can_access(device_id peer) const {
  const auto e = engine_with(id_);
  if (!e) return e.error();
  if (!(*e)->has(peer)) return status{errc::invalid_device};
  return peer != id_;
}

result<bool> device::has_access(device_id peer) const {
  const auto e = engine_with_peers(id_, peer);
  if (!e) return e.error();
  return (*e)->peers().connected(id_, peer);
}

status device::enable_access(device_id peer) const {
  constexpr auto function = "convoy::device::enable_access";
  const auto e = engine_with_peers(id_, peer, function);
  if (!e) return e.error();
  if ((*e)->peers().connect(id_, peer)) return {};
  return observed_call(**e, function, status{errc::peer_access_already_enabled});
}

status device::disable_access(device_id peer) const {
  constexpr auto function = "convoy::device::disable_access";
  const auto e = engine_with_peers(id_, peer, function);
  if (!e) return e.error();
  if ((*e)->peers().disconnect(id_, peer)) return {};
  return observed_call(**e, function, status{errc::peer_access_not_enabled});
}

}  // namespace convoy
