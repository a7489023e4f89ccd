// Contexts: each has a device and a default stream, and each thread has a current one.
//
// The primary context of a device is shared by all threads; it lives from the first aclrtSetDevice
// to the aclrtResetDevice that matches. Everything made in a context goes with it.
#pragma once

#include <array>
#include <atomic>
#include <convoy/stream.hpp>
#include <cstdint>
#include <memory>

#include "outcome.hpp"

namespace convoy::ascendcl {

struct context {
  std::uint64_t number = 0;
  device_id device = {};
  bool primary = false;
  stream_ref default_stream = {};
  std::atomic<bool> alive = true;
  std::atomic<bool> stops_on_failure = false;
  std::array<std::atomic<std::int64_t>, 3> options = {};  // by aclSysParamOpt
};

// 107002 when the thread has none, or has one that is gone.
found<std::shared_ptr<context>> current_context();

found<std::shared_ptr<context>> find_context(aclrtContext handle);

found<std::shared_ptr<context>> make_context(device_id on, bool primary);

// What becomes of queued work when its stream or context goes.
enum class ending { after_work, at_once };

void close(context& gone, ending how);

}  // namespace convoy::ascendcl
