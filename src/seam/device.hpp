// The interface of a device, which moves the bytes.
//
// Work is validated and has engine addresses. A device lands every copy that it can; the status
// names the lowest item that failed. Of a box with many failed rows, rows behind the lowest may be
// left out.
#pragma once

#include <convoy/copy.hpp>
#include <convoy/location.hpp>
#include <convoy/reduction.hpp>
#include <convoy/status.hpp>
#include <cstddef>
#include <optional>
#include <span>

#include "model/copy_totals.hpp"

namespace convoy {

// The copies of one step.
struct copy_work {
  std::span<const copy> copies;
  copy_totals totals = {};
};

// Receives the outcome of work that a port finishes after start() has returned.
class completion {
 public:
  virtual void complete(const status& outcome) = 0;

 protected:
  ~completion() = default;
};

// The outcome of started work, or none while it is in flight.
using started_work = std::optional<status>;

// start() returns the outcome when the work has landed or failed before it returns. Otherwise it
// returns none without blocking, and the port calls done.complete() exactly once, on any thread,
// possibly before start() returns. The caller keeps the work and its memory alive until then.
class device_port {
 public:
  virtual ~device_port() = default;
  virtual started_work start(const copy_work& work, completion& done) = 0;
  virtual started_work start(const pitched_copy& work, completion& done) = 0;
  virtual started_work start_fill(const pitched& target, const box& extent, fill_pattern pattern,
                                  completion& done) = 0;
  virtual started_work start_reduce(const reduction& work, completion& done) = 0;

  // True when every start finishes before it returns and calls no code outside of the device, so
  // that the caller may hold a lock.
  [[nodiscard]] virtual bool completes_inline() const noexcept { return false; }
};

// The port of each device, and of host memory. Devices may share a port.
class device_ports {
 public:
  device_ports(device_port& host, std::span<device_port* const> by_device) noexcept
      : host_(host), by_device_(by_device) {
    for (const device_port* each : by_device_) uniform_ = uniform_ && each == &host_;
  }

  // True when all devices share the port of host memory.
  [[nodiscard]] bool uniform() const noexcept { return uniform_; }
  [[nodiscard]] device_port& host() const noexcept { return host_; }
  [[nodiscard]] device_port& port_for(const memory_class& memory) const noexcept {
    if (uniform_ || memory.kind != memory_kind::device) return host_;
    return *by_device_[static_cast<std::size_t>(number(memory.device))];
  }

  // The port of the destination's device, or else of the source's: the port of a device reaches
  // host memory, the port of host memory does not reach a device with its own port.
  [[nodiscard]] device_port& between(const memory_class& dst, const memory_class& src) const {
    device_port& at_dst = port_for(dst);
    return &at_dst == &host_ ? port_for(src) : at_dst;
  }

 private:
  device_port& host_;
  std::span<device_port* const> by_device_;
  bool uniform_ = true;
};

}  // namespace convoy
