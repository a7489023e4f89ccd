// The state of the process: built at the first call, never destroyed.
//
// It is not destroyed because threads may still copy while the process exits. There is one, because
// handles and pointers must mean the same to all front ends.
#pragma once

#include <convoy/location.hpp>
#include <convoy/status.hpp>
#include <convoy/stream.hpp>
#include <memory>
#include <string>
#include <vector>

#include "base/configuration.hpp"
#include "base/handle_table.hpp"
#include "cpu/cpu_device.hpp"
#include "memory/address_space.hpp"
#include "memory/block_pool.hpp"
#include "observe/failure_callbacks.hpp"
#include "observe/failure_log.hpp"
#include "observe/metrics_counter.hpp"
#include "observe/observer_list.hpp"
#include "os/cpu_quota.hpp"
#include "os/process.hpp"
#include "runtime/deferred_frees.hpp"
#include "runtime/ipc_table.hpp"
#include "stream/device_queues.hpp"
#include "stream/event_state.hpp"
#include "stream/stream_state.hpp"
#include "submit/submit_context.hpp"
#include "threads/worker_pool.hpp"
#include "trace/tracer.hpp"

namespace convoy {

class engine {
 public:
  // Builds it at the first call. forked in a forked child, bad_configuration when that is wrong.
  static result<engine*> get() {
    engine* const only = running.load(std::memory_order_acquire);  // stored by start()
    if (only != nullptr && !os::forked()) return only;
    return start();
  }

  // Null until get() has built it, and in a forked child.
  static engine* if_running() noexcept {
    return os::forked() ? nullptr : running.load(std::memory_order_acquire);  // stored by start()
  }

  // The configuration that get() uses, or would use, with all defaults resolved. Starts nothing,
  // and works in a forked child. bad_configuration when a variable is wrong.
  static result<configuration> planned_configuration();

  // The sentence for bad_configuration; empty when the configuration is right.
  static const std::string& configuration_problem();

  // With all defaults resolved.
  [[nodiscard]] const configuration& config() const noexcept { return config_; }

  [[nodiscard]] int device_count() const noexcept { return static_cast<int>(devices_.size()); }
  [[nodiscard]] bool has(device_id id) const noexcept {
    return number(id) >= 0 && number(id) < device_count();
  }
  device_queues& queues(device_id id) { return *devices_[static_cast<std::size_t>(number(id))]; }

  result<std::uint64_t> add_stream(device_id device, stream_options options);
  result<event> add_event(std::shared_ptr<event_state> made);
  result<std::shared_ptr<stream_state>> find(stream_ref stream) const;
  result<std::shared_ptr<event_state>> find(event_ref event) const;

  // The same without a reference count: the calling thread owns the stream that it used last, so
  // the pointer is valid until the thread looks up another stream.
  result<stream_state*> find_cached(stream_ref stream) const {
    const bool same = cached.handle == stream.handle() && cached.removals == streams_.removals();
    if (same && cached.stream != nullptr) return cached.stream;
    return find_and_cache(stream);
  }
  [[nodiscard]] stream_ref legacy_stream(device_id id) const {
    return legacy_[static_cast<std::size_t>(number(id))];
  }

  // The parts of the engine that src/submit uses.
  [[nodiscard]] const submit_context& context_for_submit() const noexcept {
    return submit_context_;
  }

  // Reclaims retired memory when neither a pending step nor an importing process uses it.
  void defer_free(const memory::retired& freed, void* start);

  // The last position of every stream with pending work, on all devices.
  std::vector<stream_position> tails();

  // Called by every wait and query: runs the posted work of all streams when no thread does.
  void run_work_without_workers() {
    if (workers_.needs_waiters()) workers_.run_all_posted();
  }
  [[nodiscard]] bool has_workers() const noexcept { return !workers_.needs_waiters(); }

  memory::address_space& space() noexcept { return *space_; }
  deferred_frees& deferred() noexcept { return deferred_; }
  ipc_table& ipc() noexcept { return ipc_; }
  peer_table& peers() noexcept { return peers_; }
  const convoy::metrics_counter& counters() const noexcept { return metrics_counter_; }
  convoy::failure_callbacks& callbacks() noexcept { return failure_callbacks_; }
  void set_counting(bool on) noexcept {
    observers_.store((on ? observers_with_metrics_ : observers_without_metrics_).as_observer());
  }

  void trim_trace() {
    if (tracer_ != nullptr) tracer_->trim();
  }

  // The observer of this process, which may be replaced at any time.
  [[nodiscard]] observer_slot& observers() noexcept { return observers_; }
  [[nodiscard]] observer* current_observer() const noexcept { return observers_.load(); }

  // Notify the observer of allocations.
  void notify_allocated(const void* start);
  void notify_freed(const observed_memory& memory);
  // Call it before the memory is retired; empty while there is no observer.
  [[nodiscard]] observed_memory observed(const void* start) const;
  handle_table<stream_state>& streams() noexcept { return streams_; }
  handle_table<event_state>& events() noexcept { return events_; }

 private:
  struct parts {
    std::unique_ptr<memory::address_space> space;
    std::unique_ptr<trace::tracer> tracer;
  };
  engine(const configuration& config, parts made);
  // The stream that the thread looked up last; null for none.
  struct cached_stream {
    std::uint64_t handle = 0;
    std::uint64_t removals = 0;
    stream_state* stream = nullptr;
  };
  // initial-exec, so that access needs no function call.
  [[gnu::tls_model("initial-exec")]] static thread_local constinit cached_stream cached;
  result<stream_state*> find_and_cache(stream_ref stream) const;

  static result<engine*> start();
  static engine* build(std::string& problem);
  queue_context make_context(device_id device, int priority);
  std::vector<std::unique_ptr<device_queues>> make_devices(int count);
  std::uint64_t insert(std::shared_ptr<stream_state> made);
  [[nodiscard]] std::vector<observer*> configured_observers();

  static std::atomic<engine*> running;

  const os::usable_cpus cpus_ = os::count_usable_cpus();
  const configuration config_;
  std::unique_ptr<memory::address_space> space_;
  memory::block_pool blocks_;
  failure_callbacks failure_callbacks_;
  failure_log failure_log_;
  metrics_counter metrics_counter_;
  const std::unique_ptr<trace::tracer> tracer_;
  observer_list observers_without_metrics_;
  observer_list observers_with_metrics_;
  observer_slot observers_;
  threads::worker_pool workers_;
  cpu::cpu_device cpu_;
  const std::vector<device_port*> ports_by_device_;  // one for each device
  const device_ports ports_;
  std::atomic<std::uint64_t> streams_made_ = 0;
  std::vector<std::unique_ptr<device_queues>> devices_;
  handle_table<stream_state> streams_{0x51};
  handle_table<event_state> events_{0x52};
  std::vector<stream_ref> legacy_;
  deferred_frees deferred_;
  ipc_table ipc_;
  peer_table peers_;
  const submit_context submit_context_;
};

}  // namespace convoy
