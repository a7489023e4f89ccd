// The one way into a stream: every step of every kind is enqueued here.
#pragma once

#include <convoy/ids.hpp>
#include <memory>
#include <vector>

#include "stream/stream_state.hpp"
#include "stream/work_queue.hpp"
#include "submit/submit_context.hpp"

namespace convoy {

// The function the program called: the drop-in library's, or else `native`, of the native API.
const char* called_function(const char* native) noexcept;

struct new_step {
  std::unique_ptr<action> work;
  submission details = {};
  std::vector<std::shared_ptr<signal>> waits = {};
  std::vector<std::shared_ptr<signal>> raises = {};
};

// Adds what the default-stream rules demand and gives the step its ticket.
ticket enqueue(const submit_context& context, stream_state& stream, new_step next);

// Runs the work on the calling thread, as a step, if nothing is ahead of it and no rule makes it
// wait; ticket 0 otherwise.
ticket try_run_now(const submit_context& context, stream_state& stream, action& work,
                   const submission& details);

// Waits for the step on behalf of a call that returns when its work has landed, and tells
// observers. Answers how that very step failed.
status wait_for_step(const submit_context& context, stream_state& stream, ticket position,
                     const char* function);

}  // namespace convoy
