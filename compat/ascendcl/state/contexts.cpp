#include "state/contexts.hpp"

#include "shared/process_lifetime.hpp"
#include "state/thread.hpp"

namespace convoy::ascendcl {

registry<context>& contexts() { return compat::process_object<registry<context>>(); }

lookup<std::shared_ptr<context>> current_context() {
  const auto& current = this_thread().current;
  if (current != nullptr && current->alive) return {current};
  return failed(ACL_ERROR_RT_CONTEXT_NULL,
                "the thread has no context; aclrtSetDevice or aclrtSetCurrentContext gives it one");
}

void make_current(std::shared_ptr<context> next) {
  thread_state& thread = this_thread();
  thread.current = std::move(next);
  thread.has_cached_stream = false;
}

lookup<std::shared_ptr<context>> find_context(aclrtContext handle) {
  auto found = contexts().find(number_of(handle));
  if (found != nullptr) return {std::move(found)};
  return failed(ACL_ERROR_RT_INVALID_HANDLE,
                "the handle is not a context, or the context was destroyed");
}

}  // namespace convoy::ascendcl
