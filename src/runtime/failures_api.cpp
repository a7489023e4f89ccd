#include <convoy/failures.hpp>
#include <utility>

#include "runtime/engine.hpp"
#include "runtime/observed_calls.hpp"

namespace convoy {

failure_callback::~failure_callback() {
  if (number_ == 0) return;
  if (const auto e = engine::get()) (*e)->callbacks().remove(number_);
}

result<failure_callback> add_failure_callback(std::function<void(const failed_step&)> callback) {
  const auto e = engine::get();
  if (!e) return e.error();
  if (!callback) {
    return observed_call(**e, "convoy::add_failure_callback",
                         result<failure_callback>(status{errc::null_pointer}));
  }
  return failure_callback((*e)->callbacks().add(
      [function = std::move(callback)](const observed_step& step, const status& error) {
        function({stream_ref(step.handle), step.position, step.device, error});
      }));
}

}  // namespace convoy
