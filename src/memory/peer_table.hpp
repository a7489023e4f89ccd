// Enabled peer access between devices. One-way: from the first device to the memory of the second.
#pragma once

#include <array>
#include <atomic>
#include <convoy/ids.hpp>
#include <cstdint>

namespace convoy {

class peer_table {
 public:
  [[nodiscard]] bool connected(device_id from, device_id to) const noexcept {
    return (peers(from).load(std::memory_order_relaxed) & bit(to)) != 0;
  }
  // Both return false when there is nothing to change.
  bool connect(device_id from, device_id to) noexcept {
    return (peers(from).fetch_or(bit(to), std::memory_order_relaxed) & bit(to)) == 0;
  }
  bool disconnect(device_id from, device_id to) noexcept {
    return (peers(from).fetch_and(~bit(to), std::memory_order_relaxed) & bit(to)) != 0;
  }

 private:
  using bits = std::atomic<std::uint64_t>;
  static std::uint64_t bit(device_id id) { return std::uint64_t{1} << number(id); }
  [[nodiscard]] const bits& peers(device_id id) const {
    return peers_[static_cast<std::size_t>(number(id))];
  }
  bits& peers(device_id id) { return peers_[static_cast<std::size_t>(number(id))]; }

  static_assert(max_devices <= 64);  // one bit each
  std::array<bits, max_devices> peers_ = {};
};

}  // namespace convoy
