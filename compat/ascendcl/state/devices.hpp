// Devices as AscendCL counts them, the contexts on them, and which of them had a step fail.
//
// A call that waits for a step of its own, in a stream that no program has, answers its failure
// itself; such a failure does not count for its device.
#pragma once

#include <convoy/ids.hpp>
#include <cstdint>
#include <memory>

#include "state/call_status.hpp"
#include "state/contexts.hpp"
#include "state/streams.hpp"

namespace convoy::ascendcl {

// 107001 unless there is such a device.
lookup<device_id> find_device(std::int64_t number);

lookup<std::shared_ptr<context>> make_context(device_id device, bool primary);

void close(context& closing, close_mode mode);

// The device's primary context, used once more than before. Made when there is none.
lookup<std::shared_ptr<context>> retain_primary_context(device_id device);

enum class reset_kind { when_unused, force };

// The primary context to close; null while it is still in use.
lookup<std::shared_ptr<context>> release_primary_context(device_id device, reset_kind kind);

bool has_primary_context(device_id device);

// Whether a step has failed there, in a stream of a program, since the device was last reset.
bool has_failed_step(device_id device);

void clear_failures(device_id device);

}  // namespace convoy::ascendcl
