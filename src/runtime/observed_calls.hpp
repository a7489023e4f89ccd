// Notifies the observer of calls of public functions. Costs one load while there is no observer.
//
// Every public function that can be refused reports it here, except look-ups such as locate() and
// stream_ref::device(), which the library itself makes as well.
#pragma once

#include <convoy/status.hpp>
#include <cstdint>

#include "runtime/engine.hpp"
#include "seam/observer.hpp"

namespace convoy {

// The call was refused and changed nothing. Ignores codes that are no refusals, such as not_ready.
void notify_refused(const engine& e, const char* function, const status& error,
                    std::uint64_t stream_handle = 0);

// The calling thread has synchronized with the stream up to this position.
void notify_synchronized(const engine& e, const step_position& reached, sync_kind kind,
                         const char* function);

// Passes the result through, and notifies the observer when it is a refusal.
template <class T>
result<T> observed_call(const engine& e, const char* function, result<T> answer,
                        std::uint64_t stream_handle = 0) {
  if (!answer) notify_refused(e, function, answer.error(), stream_handle);
  return answer;
}
inline status observed_call(const engine& e, const char* function, const status& answer,
                            std::uint64_t stream_handle = 0) {
  if (!answer.ok()) notify_refused(e, function, answer, stream_handle);
  return answer;
}

}  // namespace convoy
