// Contexts. A context has a device and a default stream; a thread has at most one current context.
//
// The primary context of a device is shared by all threads. It exists from the first aclrtSetDevice
// to the matching aclrtResetDevice. Streams are destroyed with their context.
#pragma once

#include <array>
#include <atomic>
#include <convoy/stream.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "state/call_status.hpp"
#include "state/registry.hpp"

namespace convoy::ascendcl {

struct context {
  std::uint64_t id = 0;
  device_id device = {};
  bool primary = false;
  stream_ref default_stream = {};
  std::atomic<bool> alive = true;
  std::atomic<bool> stops_on_failure = false;
  std::array<std::atomic<std::int64_t>, 3> options = {};  // by aclSysParamOpt
};

registry<context>& contexts();

// 107002 when the thread has no context, or its context was destroyed.
lookup<std::shared_ptr<context>> current_context();

void make_current(std::shared_ptr<context> next);

// 107017 unless the handle is a context.
lookup<std::shared_ptr<context>> find_context(aclrtContext handle);

}  // namespace convoy::ascendcl
