// Submits a batch: validates all copies, takes a snapshot of the arrays, enqueues one step.
//
// A refused batch enqueues nothing. Each returns the ticket of the step, or of the last step of the
// stream when there is nothing to copy.
#pragma once

#include <convoy/batch.hpp>
#include <convoy/ids.hpp>
#include <convoy/rules.hpp>
#include <convoy/status.hpp>
#include <span>

#include "stream/stream_state.hpp"
#include "submit/submit_context.hpp"

namespace convoy {

result<ticket> submit_batch(const submit_context& context, stream_state& stream, const batch& work);
result<ticket> submit_batch(const submit_context& context, stream_state& stream,
                            std::span<const copy> copies, const attributes& attrs);
result<ticket> submit_batch(const submit_context& context, stream_state& stream,
                            const batch_view& work, const batch_rules& rules);

}  // namespace convoy
