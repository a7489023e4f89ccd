#include "runtime/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <convoy/api_function.hpp>
#include <convoy/metrics.hpp>
#include <utility>

#include "os/environment.hpp"
#include "os/fault_guard.hpp"
#include "os/pages.hpp"
#include "os/process.hpp"

namespace convoy {
namespace {

constexpr std::size_t max_unused_blocks = std::size_t{256} << 20;
constexpr std::size_t min_capacity = std::size_t{64} << 20;

std::atomic<const memory::address_space*> reported_space{nullptr};

// Reports a host access to device memory, in isolated mode. Runs in signal context.
void report_host_access(const void* address) {
  const auto* const space = reported_space.load(std::memory_order_acquire);  // stored by engine
  if (space == nullptr || !space->in_device_range(address)) return;
  std::array<char, 512> text;
  const memory::window w = space->window_of(address);
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const auto end =
      w.bytes == 0
          ? fmt::format_to_n(text.data(), text.size() - 1,
                             "convoy: host code touched {}, freed or never allocated memory of "
                             "device {}\n",
                             address, number(w.device))
          : fmt::format_to_n(text.data(), text.size() - 1,
                             "convoy: host code touched {}, which is byte {} of the {} bytes "
                             "allocated at {:#x} on device {}; copy them to host memory first\n",
                             address, at - w.start, w.bytes, w.start, number(w.device));
  *end.out = '\0';
  os::write_error(text.data());
}

// Replaces defaults by the values in use.
configuration resolved(configuration asked, std::size_t device_capacity,
                       const os::usable_cpus& cpus) {
  if (asked.workers == 0) {
    asked.workers = std::max(1, cpus.count - 1);
    asked.cpus_from = cpus.limit == os::cpu_limit::affinity ? "CPU affinity" : "cgroup CPU quota";
  }
  asked.device_memory = device_capacity;
  return asked;
}

memory::space_options options_for(const configuration& config) {
  const std::size_t machine = os::physical_memory();
  const auto devices = static_cast<std::size_t>(config.devices);
  return {.devices = config.devices,
          .device_capacity = config.device_memory != 0
                                 ? config.device_memory
                                 : std::max(machine / 2 / devices, min_capacity),
          .host_capacity = std::max(machine, min_capacity),
          .isolated = config.isolate};
}

// Halves the default capacities until the address space can be reserved: valgrind and `ulimit -v`
// limit it. A configured device memory is not reduced.
std::unique_ptr<memory::address_space> make_space(const configuration& config) {
  memory::space_options wanted = options_for(config);
  auto made = memory::address_space::make(wanted);
  while (made == nullptr && wanted.host_capacity / 2 >= min_capacity) {
    wanted.host_capacity /= 2;
    if (config.device_memory == 0) {
      wanted.device_capacity = std::min(wanted.device_capacity, wanted.host_capacity);
    }
    made = memory::address_space::make(wanted);
  }
  return made;
}

void print_summary() {
  if (os::forked()) return;
  if (const auto seen = read_metrics()) os::write_error(describe(*seen).c_str());
}

void trim_trace_at_exit() {
  if (const auto e = engine::get()) (*e)->trim_trace();
}

std::string& problem_text() {
  static auto* const text = new std::string;
  return *text;
}

// The error codes of drop-in libraries carry no sentence, so theirs goes to standard error, once.
void print_problem() {
  static std::atomic<bool> printed{false};
  if (api_function == nullptr || printed.exchange(true)) return;
  os::write_error(fmt::format("convoy: {}: {}\n", api_function, problem_text()).c_str());
}

}  // namespace

std::atomic<engine*> engine::running{nullptr};

result<engine*> engine::start() {
  if (os::forked()) return status{errc::forked};
  static engine* const only = build(problem_text());
  if (only == nullptr) {
    print_problem();
    return status{errc::bad_configuration};
  }
  running.store(only, std::memory_order_release);  // read by get()
  return only;
}

result<configuration> engine::planned_configuration() {
  // Also in a forked child: the configuration never changes.
  const engine* const only = running.load(std::memory_order_acquire);  // stored by start()
  if (only != nullptr) return only->config_;
  const auto read = read_configuration(os::variables("CONVOY_"));
  if (!std::holds_alternative<configuration>(read)) return start().error();
  const auto& config = std::get<configuration>(read);
  return resolved(config, options_for(config).device_capacity, os::count_usable_cpus());
}

const std::string& engine::configuration_problem() { return problem_text(); }

engine* engine::build(std::string& problem) {
  const auto read = read_configuration(os::variables("CONVOY_"));
  if (const auto* const sentence = std::get_if<std::string>(&read)) {
    problem = *sentence;
    return nullptr;
  }
  const auto& config = std::get<configuration>(read);
  auto space = make_space(config);
  if (space == nullptr) {
    problem = "the system has no address space left for this much CONVOY_DEVICE_MEMORY";
    return nullptr;
  }
  parts made{std::move(space), nullptr};
  if (!config.trace.empty()) {
    std::string reason;
    made.tracer = trace::tracer::create(config.trace, reason);
    if (made.tracer == nullptr) {
      problem = fmt::format("CONVOY_TRACE names \"{}\", which {}", config.trace, reason);
      return nullptr;
    }
  }
  os::watch_forks();
  return new engine(config, std::move(made));
}

engine::engine(const configuration& config, parts made)
    : config_(resolved(config, made.space->capacity(), cpus_)),
      space_(std::move(made.space)),
      blocks_(max_unused_blocks),
      tracer_(std::move(made.tracer)),
      observers_without_metrics_(configured_observers()),
      observers_with_metrics_([this] {
        auto all = configured_observers();
        all.push_back(&metrics_counter_);
        return all;
      }()),
      observers_((config.log_summary ? observers_with_metrics_ : observers_without_metrics_)
                     .as_observer()),
      workers_(config_.workers, threads::thread_end::abandoned,
               {.cpus = cpus_.count, .observers = &observers_}),
      cpu_(workers_),
      ports_by_device_(static_cast<std::size_t>(config.devices), &cpu_),
      ports_(cpu_, ports_by_device_),
      devices_(make_devices(config.devices)),
      deferred_(*space_),
      ipc_(*space_),
      submit_context_{*space_, blocks_, peers_, ports_, workers_, observers_, devices_} {
  for (int i = 0; i != config.devices; ++i) {
    const device_id id{i};
    legacy_.emplace_back(insert(std::make_shared<stream_state>(
        stream_state{queues(id).legacy(), id, stream_role::legacy, 0, true})));
  }
  if (config.isolate) reported_space.store(space_.get(), std::memory_order_release);
  os::install_fault_handler(report_host_access);
  if (config.log_summary) os::at_exit(print_summary);
  if (tracer_ != nullptr) os::at_exit(trim_trace_at_exit);
}

std::vector<observer*> engine::configured_observers() {
  std::vector<observer*> all;
  if (config_.log_failures) all.push_back(&failure_log_);
  if (tracer_ != nullptr) all.push_back(tracer_.get());
  return all;
}

queue_context engine::make_context(device_id device, int priority) {
  return {workers_, &observers_, streams_made_.fetch_add(1, std::memory_order_relaxed),
          priority, device,      &failure_callbacks_};
}

std::vector<std::unique_ptr<device_queues>> engine::make_devices(int count) {
  std::vector<std::unique_ptr<device_queues>> made;
  for (int i = 0; i != count; ++i) {
    made.push_back(std::make_unique<device_queues>(make_context(device_id{i}, 0)));
  }
  return made;
}

std::uint64_t engine::insert(std::shared_ptr<stream_state> made) {
  const auto queue = made->queue;
  const std::uint64_t handle = streams_.insert(std::move(made));
  queue->set_handle(handle);
  return handle;
}

observed_memory engine::observed(const void* start) const {
  if (current_observer() == nullptr) return {};
  const memory::window w = space_->window_of(start);
  return {{.kind = w.kind,
           .device = w.device,
           .base = const_cast<void*>(start),
           .size = w.bytes,
           .bytes_left = w.bytes},
          w.engine_address(start)};
}

void engine::notify_allocated(const void* start) {
  if (observer* const current = current_observer()) current->allocated(observed(start));
}

void engine::notify_freed(const observed_memory& memory) {
  observer* const current = current_observer();
  if (current != nullptr && memory.engine_start != nullptr) current->freed(memory);
}

result<std::uint64_t> engine::add_stream(device_id device, stream_options options) {
  if (!has(device)) return status{errc::invalid_device};
  options.priority = std::clamp(options.priority, -5, 0);
  const stream_role role = options.blocking ? stream_role::blocking : stream_role::non_blocking;
  auto queue = queues(device).make_queue(role, make_context(device, options.priority));
  const std::uint64_t handle = insert(std::make_shared<stream_state>(
      stream_state{std::move(queue), device, role, options.priority}));
  if (handle == 0) return status{errc::out_of_memory};
  return handle;
}

result<event> engine::add_event(std::shared_ptr<event_state> made) {
  const std::uint64_t handle = events_.insert(std::move(made));
  if (handle == 0) return status{errc::out_of_memory};
  return event(event_ref(handle));
}

void engine::defer_free(const memory::retired& freed, void* start) {
  deferred_.defer(freed, tails(), ipc_.end_export(start));
}

namespace {

template <class T>
result<std::shared_ptr<T>> find_in(const handle_table<T>& table, std::uint64_t handle) {
  if (auto found = table.find(handle)) return found;
  const bool was_once = table.state_of(handle) == handle_state::destroyed;
  return status{was_once ? errc::destroyed_handle : errc::invalid_handle};
}

}  // namespace

result<std::shared_ptr<stream_state>> engine::find(stream_ref stream) const {
  return find_in(streams_, stream.handle());
}

constinit thread_local engine::cached_stream engine::cached;

result<stream_state*> engine::find_and_cache(stream_ref stream) const {
  using owner = std::shared_ptr<stream_state>;
  static const os::thread_pointer owners([](void* ended) {
    cached = {};
    delete static_cast<owner*>(ended);
  });
  const std::uint64_t removals = streams_.removals();
  auto found = find(stream);
  if (!found) return found.error();
  auto* own = static_cast<owner*>(owners.get());
  if (own == nullptr) owners.set(own = new owner);
  *own = std::move(*found);
  cached = {stream.handle(), removals, own->get()};
  return cached.stream;
}

result<std::shared_ptr<event_state>> engine::find(event_ref event) const {
  return find_in(events_, event.handle());
}

std::vector<stream_position> engine::tails() {
  std::vector<stream_position> all;
  for (const auto& each : devices_) {
    auto some = each->tails();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace convoy
