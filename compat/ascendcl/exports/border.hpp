// Where calls come in: every exported function runs its body here.
//
// Nothing leaves but a number. A forked child, which has none of the engine's threads and perhaps
// somebody's locks, is turned away before it touches anything.
#pragma once

#include <new>

#include "state/fork_check.hpp"
#include "state/outcome.hpp"

namespace convoy::ascendcl {

// Keeps the sentence, and where that is due the code, for the thread to ask for.
aclError keep(const char* function, outcome why) noexcept;
aclError keep_forked(const char* function) noexcept;
aclError keep_out_of_memory(const char* function) noexcept;

template <class Body>
aclError answer(const char* function, const Body& body) noexcept {
  if (forked()) return keep_forked(function);
  try {
    const outcome done = body();
    return done.ok() ? ACL_SUCCESS : keep(function, done);
  } catch (const std::bad_alloc&) {
    return keep_out_of_memory(function);
  }
}

}  // namespace convoy::ascendcl
