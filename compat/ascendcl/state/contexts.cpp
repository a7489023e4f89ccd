#include "state/contexts.hpp"

#include "state/thread.hpp"

namespace convoy::ascendcl {

registry<context>& contexts() {
  static auto* const all = new registry<context>;
  return *all;
}

found<std::shared_ptr<context>> current_context() {
  const auto& now = this_thread().current;
  if (now != nullptr && now->alive) return {now};
  return none<std::shared_ptr<context>>(
      failed(ACL_ERROR_RT_CONTEXT_NULL,
             "the thread has no context; aclrtSetDevice or aclrtSetCurrentContext gives it one"));
}

void make_current(std::shared_ptr<context> next) {
  thread_state& me = this_thread();
  me.current = std::move(next);
  me.knows_stream = false;
}

found<std::shared_ptr<context>> find_context(aclrtContext handle) {
  auto at = contexts().find(number_of(handle));
  if (at != nullptr) return {std::move(at)};
  return none<std::shared_ptr<context>>(
      failed(ACL_ERROR_RT_INVALID_HANDLE, "this is no context, or one that was destroyed"));
}

}  // namespace convoy::ascendcl
