// Everything the submission of a step uses but does not own.
#pragma once

#include <memory>
#include <span>

#include "memory/address_space.hpp"
#include "memory/block_pool.hpp"
#include "memory/peer_table.hpp"
#include "seam/device.hpp"
#include "seam/observer.hpp"
#include "stream/device_queues.hpp"
#include "threads/worker_pool.hpp"

namespace convoy {

struct submit_context {
  memory::address_space& space;
  memory::block_pool& blocks;
  const peer_table& peers;
  const device_ports& ports;
  threads::worker_pool& workers;
  const observer_slot& observers;
  std::span<const std::unique_ptr<device_queues>> devices;

  [[nodiscard]] device_queues& queues(device_id id) const {
    return *devices[static_cast<std::size_t>(number(id))];
  }
};

}  // namespace convoy
