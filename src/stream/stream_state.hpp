// The object behind the handle of a stream.
#pragma once

#include <convoy/ids.hpp>
#include <memory>

#include "stream/device_queues.hpp"

namespace convoy {

struct stream_state {
  std::shared_ptr<work_queue> queue;
  device_id device = {};
  stream_role role = stream_role::blocking;
  int priority = 0;
  bool is_default = false;  // destroy() refuses it
};

}  // namespace convoy
