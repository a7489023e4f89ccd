// Devices as AscendCL counts them, the contexts on them, and which of them had a step fail.
//
// A call that waits for a step of its own, in a stream that no program has, answers its failure
// itself; such a failure does not count for its device.
#pragma once

#include <convoy/ids.hpp>
#include <cstdint>
#include <memory>

#include "state/contexts.hpp"
#include "state/outcome.hpp"
#include "state/streams.hpp"

namespace convoy::ascendcl {

// 107001 unless there is such a device.
found<device_id> find_device(std::int64_t number);

found<std::shared_ptr<context>> make_context(device_id on, bool primary);

void close(context& gone, ending how);

// The device's primary context, used once more than before. Made when there is none.
found<std::shared_ptr<context>> use_primary(device_id on);

enum class reset_kind { when_unused, now };

// The primary context to close; null while it is still in use.
found<std::shared_ptr<context>> release_primary(device_id on, reset_kind how);

bool has_primary(device_id on);

// Whether a step has failed there, in a stream of a program, since the device was last reset.
bool had_failure(device_id on);

void forget_failures(device_id on);

}  // namespace convoy::ascendcl
