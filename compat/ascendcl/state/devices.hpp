// The table of devices: their primary contexts, and whether a step has failed on them.
//
// Only steps in streams of the program count as failed steps. A synchronous call runs its step in
// an internal stream and returns the error itself.
#pragma once

#include <convoy/ids.hpp>
#include <cstdint>
#include <memory>

#include "state/call_status.hpp"
#include "state/contexts.hpp"
#include "state/streams.hpp"

namespace convoy::ascendcl {

// 107001 unless there is a device of this number.
lookup<device_id> find_device(std::int64_t number);

lookup<std::shared_ptr<context>> make_context(device_id device, bool primary);

// Destroys the streams of the context, then its handle.
void close(context& closing, close_mode mode);

// Adds a use to the primary context of the device; creates it for the first one.
lookup<std::shared_ptr<context>> retain_primary_context(device_id device);

enum class reset_kind { when_unused, force };

// Removes a use, or all of them. Returns the context that the caller has to close; null while it
// is in use.
lookup<std::shared_ptr<context>> release_primary_context(device_id device, reset_kind kind);

bool has_primary_context(device_id device);

// True after a failed step, until clear_failures().
bool has_failed_step(device_id device);

void clear_failures(device_id device);

}  // namespace convoy::ascendcl
