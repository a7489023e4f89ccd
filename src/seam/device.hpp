// A device: what moves the bytes.
//
// Work arrives validated, with the engine's own addresses. A device lands every copy it can; when
// some cannot land, the status names the lowest item among them.
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

// The outcome of started work, or none while it is under way.
using started_work = std::optional<status>;

// start() answers the outcome when the work has landed or failed before it returns. Otherwise it
// answers none, holds no thread of the caller's, and the port calls done.complete() exactly once,
// on any thread, perhaps before start() returns. Work, and what it refers to, lives until then.
class device_port {
 public:
  virtual ~device_port() = default;
  virtual started_work start(const copy_work& work, completion& done) = 0;
  virtual started_work start(const pitched_copy& work, completion& done) = 0;
  virtual started_work start_fill(const pitched& target, const box& extent, fill_pattern pattern,
                                  completion& done) = 0;
  virtual started_work start_reduce(const reduction& work, completion& done) = 0;

  // True when every start finishes before it returns, on the calling thread, and runs the device's
  // own code alone, so that a lock may be held over it.
  [[nodiscard]] virtual bool completes_inline() const noexcept { return false; }
};

// The port of each device, and of host memory. Devices may share a port.
class device_ports {
 public:
  device_ports(device_port& host, std::span<device_port* const> by_device) noexcept
      : host_(host), by_device_(by_device) {
    for (const device_port* each : by_device_) uniform_ = uniform_ && each == &host_;
  }

  // Every copy goes to the same port.
  [[nodiscard]] bool uniform() const noexcept { return uniform_; }
  [[nodiscard]] device_port& host() const noexcept { return host_; }
  [[nodiscard]] device_port& of(const memory_class& memory) const noexcept {
    if (uniform_ || memory.kind != memory_kind::device) return host_;
    return *by_device_[static_cast<std::size_t>(number(memory.device))];
  }

  // A copy belongs to the device at its destination, or else at its source: a port other than the
  // host's reaches host memory, the host's reaches no other device's.
  [[nodiscard]] device_port& between(const memory_class& dst, const memory_class& src) const {
    device_port& at_dst = of(dst);
    return &at_dst == &host_ ? of(src) : at_dst;
  }

 private:
  device_port& host_;
  std::span<device_port* const> by_device_;
  bool uniform_ = true;
};

}  // namespace convoy
