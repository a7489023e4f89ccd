// What the copying calls share.
#pragma once

#include <convoy/location.hpp>
#include <convoy/rules.hpp>
#include <convoy/stream.hpp>
#include <optional>
#include <string>

#include "state/streams.hpp"

namespace convoy::ascendcl {

// One copy, any way. With pageable memory the call returns when it has landed; between devices
// only after peer access was enabled, one way or the other.
inline constexpr batch_rules one_copy{.pageable_blocks = true, .peers_need_access = true};

// "pinned host memory", for sentences.
std::string describe_memory(const pointer_attributes& attributes);

// Where a pointer is, as the kind of a copy sees it.
enum class copy_endpoint : std::uint8_t { host, device, unregistered };
copy_endpoint endpoint_of(const pointer_attributes& attributes);

// The kind that the pointers make of the kind that was asked for; none when they do not fit.
// DEFAULT goes in and never comes out.
std::optional<aclrtMemcpyKind> effective_kind(aclrtMemcpyKind requested, copy_endpoint src,
                                              copy_endpoint dst);

// The step that aclrtGetThreadLastTaskId answers.
inline void record_task(ticket position) {
  this_thread().last_task = static_cast<std::uint32_t>(number(position));
}

// What came of a step that was submitted for this handle.
inline call_status record_submission(aclrtStream handle, const result<ticket>& submitted) {
  if (!submitted) return stream_error(handle, submitted.error());
  record_task(*submitted);
  return {};
}

// The thread's stream for calls that wait, on the device of its context.
inline lookup<stream_ref> current_sync_stream() {
  const auto current = current_context();
  if (!current) return current.error;
  return sync_stream((*current)->device);
}

// Runs a step on the thread's own stream and waits: no other stream is synchronized.
template <class Submit>
call_status run_on_sync_stream(const Submit& submit) {
  const auto stream = current_sync_stream();
  if (!stream) return stream.error;
  const result<ticket> submitted = submit(*stream);
  const status s = submitted ? stream->synchronize(*submitted) : submitted.error();
  if (s.ok()) return {};
  static_cast<void>(stream->clear_error());
  return submitted ? call_status_of_step(s) : call_status_of(s);
}

}  // namespace convoy::ascendcl
