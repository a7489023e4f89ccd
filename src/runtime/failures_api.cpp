#include <convoy/failures.hpp>
#include <utility>

#include "runtime/engine.hpp"

namespace convoy {

failure_watch::~failure_watch() {
  if (number_ == 0) return;
  if (const auto e = engine::get()) (*e)->failures_heard_by().remove(number_);
}

result<failure_watch> watch_failures(std::function<void(const failed_step&)> listener) {
  const auto e = engine::get();
  if (!e) return e.outcome();
  if (!listener) return status{errc::null_pointer};
  return failure_watch((*e)->failures_heard_by().add(
      [told = std::move(listener)](const step_place& step, const status& why) {
        told({stream_ref(step.handle), step.at, step.device, why});
      }));
}

}  // namespace convoy
