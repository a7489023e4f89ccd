// A device: memory of its own, streams, and peer access to other devices.
//
// Devices are simulated: CONVOY_DEVICES sets how many there are, and the CPU makes their copies.
// A `device` object is only a number; its functions answer invalid_device if there is no device of
// that number.
#pragma once

#include <convoy/export.hpp>
#include <convoy/ids.hpp>
#include <convoy/memory.hpp>
#include <convoy/status.hpp>
#include <convoy/stream.hpp>
#include <optional>
#include <vector>

namespace convoy {

// How many devices there are (CONVOY_DEVICES). Their numbers start at 0.
CONVOY_EXPORT result<int> device_count();

// What this process uses of a device.
struct device_usage {
  std::size_t total = 0;  // the capacity in bytes: CONVOY_DEVICE_MEMORY or its default
  std::size_t used = 0;   // bytes allocated, or freed while steps still use them
  bool busy = false;      // a step submitted to a stream of the device has not landed
};

// The usage of every device, in the order of their numbers. Returns at once and starts nothing, so
// that a process can call it, fork, and use Convoy in the child; in a child that was forked after
// the first use of Convoy, nothing is used. Never answers `forked`.
CONVOY_EXPORT result<std::vector<device_usage>> device_usages();

class CONVOY_EXPORT device {
 public:
  explicit device(device_id id) noexcept : id_(id) {}

  [[nodiscard]] device_id id() const noexcept { return id_; }

  // How much memory the device has; see memory_stats_of().
  [[nodiscard]] result<memory_stats> memory() const { return memory_stats_of(id_); }

  // Waits until everything submitted so far to any stream of the device has landed, destroyed
  // streams included; the waiting thread helps with the copies. Answers the first error among the
  // streams, timed_out when the timeout passes first (the work goes on), or not_permitted in a host
  // function of the device.
  status synchronize() const;
  status synchronize(std::chrono::nanoseconds timeout) const;

  // The same for the legacy default stream and the blocking streams of the device, per-thread
  // default streams included: everything that a step submitted now to the legacy default stream
  // would wait for. The query returns at once: not_ready while such work is pending, else the
  // first error among those streams, else ok.
  status synchronize_blocking_streams() const;
  [[nodiscard]] status query_blocking_streams() const;

  // The legacy default stream. A step in it waits for everything submitted before to the blocking
  // streams of the device, and everything submitted to them afterwards waits for that step. It
  // cannot be destroyed.
  [[nodiscard]] result<stream_ref> default_stream() const;

  // The calling thread's own default stream on this device, a blocking stream. It ends with the
  // thread, its pending work still lands, and it cannot be destroyed. Answers out_of_memory when
  // no more streams can be made.
  [[nodiscard]] result<stream_ref> thread_stream() const;

  // Peer access is one-way: from this device to the memory of `peer`. Only batches under
  // batch_rules::peers_need_access require it. All four return at once. invalid_device is also the
  // answer for a device as its own peer, except that can_access() answers false.
  [[nodiscard]] result<bool> can_access(device_id peer) const;
  [[nodiscard]] result<bool> has_access(device_id peer) const;

  // Answers peer_access_already_enabled if it was.
  status enable_access(device_id peer) const;

  // Answers peer_access_not_enabled if it was not.
  status disable_access(device_id peer) const;

 private:
  device_id id_;
};

}  // namespace convoy
