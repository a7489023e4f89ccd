// Submits every step that is not a batch: checks it, translates to engine addresses, enqueues.
//
// Each returns the ticket of its step, or of the last step of the stream when there is nothing to
// do.
#pragma once

#include <convoy/copy.hpp>
#include <convoy/ids.hpp>
#include <convoy/reduction.hpp>
#include <convoy/status.hpp>
#include <cstdint>
#include <functional>
#include <memory>

#include "stream/event_state.hpp"
#include "stream/stream_state.hpp"
#include "submit/submit_context.hpp"

namespace convoy {

result<ticket> submit_pitched(const submit_context& context, stream_state& stream,
                              const pitched_copy& wanted);
result<ticket> submit_fill(const submit_context& context, stream_state& stream,
                           const pitched& target, const box& extent, fill_pattern pattern);
result<ticket> submit_reduce(const submit_context& context, stream_state& stream,
                             const reduction& wanted);

// Copies whose addresses are in device memory; checked when they run.
result<ticket> submit_indirect(const submit_context& context, stream_state& stream,
                               const void* descriptor, const descriptor_layout& layout);
result<ticket> submit_indirect(const submit_context& context, stream_state& stream,
                               const based_copy& wanted);
result<ticket> submit_prefetch(const submit_context& context, stream_state& stream,
                               const void* descriptor, const descriptor_layout& layout);

result<ticket> submit_function(const submit_context& context, stream_state& stream,
                               std::function<void()> function);

// An event and its handle.
struct named_event {
  std::shared_ptr<event_state> state;
  std::uint64_t handle = 0;
};
result<ticket> submit_record(const submit_context& context, stream_state& stream,
                             const named_event& event);
result<ticket> submit_wait(const submit_context& context, stream_state& stream,
                           const named_event& event);

result<ticket> submit_write_value(const submit_context& context, stream_state& stream,
                                  const stream_value& value);
result<ticket> submit_wait_value(const submit_context& context, stream_state& stream,
                                 const stream_value& value, value_test test);

// The position in the stream at which memory is freed.
ticket submit_release(const submit_context& context, stream_state& stream);

}  // namespace convoy
