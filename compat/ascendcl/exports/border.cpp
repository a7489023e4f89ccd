#include "exports/border.hpp"

#include "state/thread.hpp"

namespace convoy::ascendcl {

namespace {

// A thread that never asks does not collect sentences for ever.
constexpr std::size_t most_text = 16384;

void tell(thread_state& me, const char* function, const std::string& text) {
  if (me.untold.size() + text.size() > most_text) me.untold.clear();
  if (!me.untold.empty()) me.untold += '\n';
  me.untold += function;
  me.untold += ": ";
  me.untold += text;
}

}  // namespace

aclError keep(const char* function, outcome why) noexcept {
  try {
    thread_state& me = this_thread();
    if (why.kept) me.last_error = why.code;
    tell(me, function, std::exchange(me.reason, {}));
  } catch (const std::bad_alloc&) {
    // The code has to do without its sentence.
  }
  return why.code;
}

aclError keep_forked(const char* function) noexcept {
  try {
    return keep(function, outcome_of(status{errc::forked}));
  } catch (const std::bad_alloc&) {
    return ACL_ERROR_RT_INTERNAL_ERROR;
  }
}

aclError keep_out_of_memory(const char* function) noexcept {
  return keep(function, {ACL_ERROR_BAD_ALLOC, true});
}

}  // namespace convoy::ascendcl

// What the generated functions of the unsupported names answer.
extern "C" int convoy_ascendcl_unsupported(const char* symbol);
extern "C" int convoy_ascendcl_unsupported(const char* symbol) {
  using namespace convoy::ascendcl;
  return answer(symbol, [&] { return unsupported("Convoy does not have this function"); });
}
