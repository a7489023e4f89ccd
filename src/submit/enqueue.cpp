#include "submit/enqueue.hpp"

#include <convoy/api_function.hpp>
#include <utility>

namespace convoy {

const char* called_function(const char* native) noexcept {
  return api_function != nullptr ? api_function : native;
}

ticket enqueue(const submit_context& context, stream_state& stream, new_step next) {
  return context.queues(stream.device)
      .submit(stream.queue, stream.role,
              {.work = std::move(next.work),
               .waits = std::move(next.waits),
               .raises = std::move(next.raises),
               .call = &next.call});
}

ticket try_run_now(const submit_context& context, stream_state& stream, action& work,
                   const submitting_call& call) {
  return context.queues(stream.device).try_run(*stream.queue, stream.role, work, &call);
}

status wait_for_step(const submit_context& context, stream_state& stream, ticket position,
                     const char* function) {
  const status waited = stream.queue->wait(position, {});
  if (gave_up(waited)) return waited;
  if (observer* const current = context.observers.load()) {
    current->synchronized(
        {stream.queue->position_of(position), sync_kind::blocking_call, called_function(function)});
  }
  return stream.queue->failure_of(position);
}

}  // namespace convoy
