#include "runtime/observed_calls.hpp"

#include <convoy/api_function.hpp>

#include "submit/enqueue.hpp"

namespace convoy {
namespace {

bool is_refusal(errc code) { return code >= errc::invalid_argument && code <= errc::out_of_memory; }

}  // namespace

void notify_refused(const engine& e, const char* function, const status& error,
                    std::uint64_t stream_handle) {
  observer* const current = e.current_observer();
  if (current == nullptr || !is_refusal(error.code)) return;
  refusal_reported = true;
  current->refused({called_function(function), stream_handle, error});
}

void report_refused_call(const char* function, const status& error) noexcept {
  // Outside of a named call the flag is that of an earlier one.
  if (api_function != nullptr && refusal_reported) return;
  if (const engine* const running = engine::if_running()) notify_refused(*running, function, error);
}

void notify_synchronized(const engine& e, const step_position& reached, sync_kind kind,
                         const char* function) {
  if (observer* const current = e.current_observer()) {
    current->synchronized({reached, kind, called_function(function)});
  }
}

}  // namespace convoy
