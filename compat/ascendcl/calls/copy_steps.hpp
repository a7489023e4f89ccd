// What calls that submit steps share.
#pragma once

#include <convoy/location.hpp>
#include <convoy/rules.hpp>
#include <convoy/stream.hpp>
#include <optional>
#include <string>

#include "state/streams.hpp"

namespace convoy::ascendcl {

// The rules for one copy in any direction. With pageable memory the call returns when the copy has
// landed. A copy between devices needs peer access in either direction.
inline constexpr batch_rules one_copy{
    .pageable_blocks = true, .registered_in_part = true, .peers_need_access = true};

// For error texts, e.g. "pinned host memory".
std::string describe_memory(const pointer_attributes& attributes);

// The location of a pointer, as aclrtMemcpyKind distinguishes it.
enum class copy_endpoint : std::uint8_t { host, device, unregistered };
copy_endpoint endpoint_of(const pointer_attributes& attributes);

// The kind that follows from the requested kind and the locations of the pointers; none when they
// do not match. Never ACL_MEMCPY_DEFAULT.
std::optional<aclrtMemcpyKind> effective_kind(aclrtMemcpyKind requested, copy_endpoint src,
                                              copy_endpoint dst);

// Records the step for aclrtGetThreadLastTaskId.
inline void record_task(ticket position) {
  this_thread().last_task = static_cast<std::uint32_t>(number(position));
}

// The status of a call that submitted one step to the stream.
inline call_status record_submitted(aclrtStream handle, const result<ticket>& submitted) {
  if (!submitted) return stream_error(handle, submitted.error());
  record_task(*submitted);
  return {};
}

// The internal stream for synchronous calls on the current device.
inline lookup<stream_ref> current_sync_stream() {
  const auto current = current_context();
  if (!current) return current.error;
  return sync_stream((*current)->device);
}

// Runs one step in the internal stream and waits for it; synchronizes no other stream.
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
