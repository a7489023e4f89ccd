// From a caller's arrays to a step: check everything, take a snapshot, enqueue.
//
// The whole batch is checked before anything is enqueued.
#pragma once

#include <convoy/batch.hpp>
#include <convoy/ids.hpp>
#include <convoy/reduction.hpp>
#include <convoy/rules.hpp>
#include <convoy/status.hpp>
#include <span>

#include "runtime/engine.hpp"

namespace convoy {

result<ticket> submit_batch(engine& e, stream_state& to, const batch& work);
result<ticket> submit_batch(engine& e, stream_state& to, std::span<const copy> copies,
                            const attributes& attrs);
result<ticket> submit_batch(engine& e, stream_state& to, const batch_view& work,
                            const batch_rules& rules);

// Checks that the box stays inside its allocation and turns to the engine's address of it.
status to_engine_addresses(const memory::address_space& space, pitched& end, const box& extent,
                           copy_side side);

// The same for both ranges of a reduction.
status to_engine_addresses(const memory::address_space& space, reduction& attrs);

// Device memory with so many bytes left.
status check_on_device(const memory::address_space& space, const void* start, std::size_t bytes);

// Device memory, large enough, with a layout whose fields lie inside.
status check_descriptor(const memory::address_space& space, const void* descriptor,
                        const descriptor_layout& layout);

}  // namespace convoy
