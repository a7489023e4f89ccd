#include "runtime/observed_calls.hpp"

#include "submit/enqueue.hpp"

namespace convoy {
namespace {

bool is_refusal(errc code) { return code >= errc::invalid_argument && code <= errc::out_of_memory; }

}  // namespace

void notify_refused(const engine& e, const char* function, const status& error,
                    std::uint64_t stream_handle) {
  observer* const current = e.current_observer();
  if (current == nullptr || !is_refusal(error.code)) return;
  current->refused({called_function(function), stream_handle, error});
}

void notify_synchronized(const engine& e, const step_position& reached, sync_kind kind,
                         const char* function) {
  if (observer* const current = e.current_observer()) {
    current->synchronized({reached, kind, called_function(function)});
  }
}

}  // namespace convoy
