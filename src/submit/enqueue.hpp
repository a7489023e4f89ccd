// Every step of every kind is enqueued here.
#pragma once

#include <convoy/ids.hpp>
#include <memory>
#include <vector>

#include "stream/stream_state.hpp"
#include "stream/work_queue.hpp"
#include "submit/submit_context.hpp"

namespace convoy {

// The name of the function that the program called: of the drop-in library, else `native`.
const char* called_function(const char* native) noexcept;

// Lives during the call of enqueue(). The call is referred to: copying members just written as
// wider words defeats store forwarding.
struct new_step {
  std::unique_ptr<action> work;
  const submitting_call& call;
  std::vector<std::shared_ptr<signal>> waits = {};
  std::vector<std::shared_ptr<signal>> raises = {};
};

// Adds the waits of the default-stream rules, enqueues the step and returns its ticket.
ticket enqueue(const submit_context& context, stream_state& stream, new_step next);

// Runs the work on the calling thread as a step if no step is ahead of it and no rule delays it;
// ticket 0 otherwise.
ticket try_run_now(const submit_context& context, stream_state& stream, action& work,
                   const submitting_call& call);

// For a call that returns when its work has landed: waits for the step, notifies observers and
// returns the failure of this step.
status wait_for_step(const submit_context& context, stream_state& stream, ticket position,
                     const char* function);

}  // namespace convoy
