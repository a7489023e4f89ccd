#include <convoy/failures.hpp>
#include <utility>

#include "runtime/engine.hpp"

namespace convoy {

failure_callback::~failure_callback() {
  if (number_ == 0) return;
  if (const auto e = engine::get()) (*e)->failures_heard_by().remove(number_);
}

result<failure_callback> add_failure_callback(std::function<void(const failed_step&)> callback) {
  const auto e = engine::get();
  if (!e) return e.error();
  if (!callback) return status{errc::null_pointer};
  return failure_callback((*e)->failures_heard_by().add(
      [told = std::move(callback)](const step_place& step, const status& why) {
        told({stream_ref(step.handle), step.at, step.device, why});
      }));
}

}  // namespace convoy
