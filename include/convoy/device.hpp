// A device: memory of its own, a default stream, and peers.
#pragma once

#include <convoy/export.hpp>
#include <convoy/ids.hpp>
#include <convoy/memory.hpp>
#include <convoy/status.hpp>
#include <convoy/stream.hpp>
#include <optional>

namespace convoy {

// CONVOY_DEVICES of them.
CONVOY_EXPORT result<int> device_count();

class CONVOY_EXPORT device {
 public:
  explicit device(device_id id) noexcept : id_(id) {}

  [[nodiscard]] device_id id() const noexcept { return id_; }
  [[nodiscard]] result<memory_stats> memory() const { return memory_stats_of(id_); }

  // Waits until every stream of the device is empty and answers the first error among them.
  status synchronize() const;
  status synchronize(std::chrono::nanoseconds timeout) const;

  // The legacy default stream: a step there waits for everything submitted before it to blocking
  // streams of the device, and everything submitted to them afterwards waits for it.
  [[nodiscard]] result<stream_ref> default_stream() const;

  // The calling thread's own default stream. It is a blocking stream.
  [[nodiscard]] result<stream_ref> thread_stream() const;

  // Peer access is one-way: from this device to the memory of `peer`.
  [[nodiscard]] result<bool> can_access(device_id peer) const;
  [[nodiscard]] result<bool> has_access(device_id peer) const;
  status enable_access(device_id peer) const;
  status disable_access(device_id peer) const;

 private:
  device_id id_;
};

}  // namespace convoy
