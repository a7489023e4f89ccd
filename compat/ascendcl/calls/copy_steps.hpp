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
std::string name_of_memory(const pointer_attributes& where);

// Where a pointer is, as the kind of a copy sees it.
enum class end_of_copy : std::uint8_t { host, device, unregistered };
end_of_copy end_at(const pointer_attributes& where);

// The kind that the pointers make of the kind that was asked for; none when they do not fit.
// DEFAULT goes in and never comes out.
std::optional<aclrtMemcpyKind> corrected(aclrtMemcpyKind asked, end_of_copy src, end_of_copy dst);

// What came of a step that was submitted for this handle.
inline outcome submitted(aclrtStream handle, const result<ticket>& at) {
  if (!at) return refusal(handle, at.error());
  this_thread().last_task = static_cast<std::uint32_t>(number(*at));
  return {};
}

// Runs a step on the thread's own stream and waits: no other stream is synchronized.
template <class Submit>
outcome run_aside(const Submit& submit) {
  const auto now = current_context();
  if (!now) return now.why;
  const auto aside = side_stream((*now)->device);
  if (!aside) return aside.why;
  const result<ticket> at = submit(*aside);
  const status s = at ? aside->synchronize(*at) : at.error();
  if (s.ok()) return {};
  static_cast<void>(aside->clear_error());
  return at ? outcome_of_step(s) : outcome_of(s);
}

}  // namespace convoy::ascendcl
