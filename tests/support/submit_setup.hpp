// Two devices and everything that submission uses, without an engine around them.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "cpu/cpu_device.hpp"
#include "stream/stream_state.hpp"
#include "submit/submit_context.hpp"
#include "support/late_device.hpp"
#include "support/outcome.hpp"

namespace convoy::test {

enum class port_choice {
  cpu,           // one port, which completes inline
  late,          // one port for all memory, which finishes when the test says so
  late_devices,  // such a port for each device; host memory has the CPU's
};

struct setup_options {
  port_choice ports = port_choice::cpu;
  bool isolated = false;
};

class submit_setup {
 public:
  explicit submit_setup(observer* by, setup_options options = {})
      : space_(memory::address_space::make({.device_capacity = std::size_t{16} << 20,
                                            .host_capacity = std::size_t{16} << 20,
                                            .isolated = options.isolated})),
        observers_(by),
        by_device_(ports_of_devices(options.ports)),
        ports_(options.ports == port_choice::late ? *by_device_[0] : cpu_, by_device_) {
    for (int i = 0; i != 2; ++i) {
      devices_.push_back(std::make_unique<device_queues>(next_queue(device_id{i})));
    }
  }
  // The worker ends before the objects that it uses.
  ~submit_setup() { workers_.reset(); }
  submit_setup(const submit_setup&) = delete;
  submit_setup& operator=(const submit_setup&) = delete;

  [[nodiscard]] submit_context context() {
    return {*space_, blocks_, peers_, ports_, *workers_, observers_, devices_};
  }
  // A non-blocking stream. Observers see numbers from 1.
  stream_state make_stream(device_id device = {}) {
    constexpr auto role = stream_role::non_blocking;
    return {context().queues(device).make_queue(role, next_queue(device)), device, role};
  }

  std::byte* allocate(device_id device, std::size_t size) {
    return static_cast<std::byte*>(must(space_->allocate(device, size)));
  }
  std::byte* allocate_pinned(std::size_t size) {
    return static_cast<std::byte*>(must(space_->allocate_pinned(size)));
  }
  [[nodiscard]] const void* engine_address(const void* program) const {
    return space_->window_of(program).engine_address(program);
  }
  // The port of a device whose ports are late.
  late_device& late(int device = 0) { return late_[static_cast<std::size_t>(device)]; }

 private:
  std::array<device_port*, 2> ports_of_devices(port_choice choice) {
    if (choice == port_choice::cpu) return {&cpu_, &cpu_};
    if (choice == port_choice::late) return {late_.data(), late_.data()};
    return {&late_[0], &late_[1]};
  }
  // The default streams of the two devices come first.
  queue_context next_queue(device_id device) {
    return {*workers_, &observers_, queues_made_++ - 1, 0, device};
  }

  const std::unique_ptr<memory::address_space> space_;
  memory::block_pool blocks_{std::size_t{1} << 20};
  peer_table peers_;
  observer_slot observers_;
  std::optional<threads::worker_pool> workers_{std::in_place, 1, threads::thread_end::joined};
  cpu::cpu_device cpu_{*workers_};
  std::array<late_device, 2> late_{late_device(cpu_), late_device(cpu_)};
  const std::array<device_port*, 2> by_device_;
  const device_ports ports_;
  std::uint64_t queues_made_ = 0;
  std::vector<std::unique_ptr<device_queues>> devices_;
};

}  // namespace convoy::test
