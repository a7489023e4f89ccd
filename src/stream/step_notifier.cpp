#include "stream/step_notifier.hpp"

#include <vector>

#include "os/futex.hpp"
#include "stream/work_queue.hpp"

namespace convoy {

observed_step step_notifier::observed(const action& work, const step& one) const {
  return {.stream = stream_.number,
          .position = one.position,
          .handle = handle_,
          .summary = work.summary(),
          .device = stream_.device,
          .submitted = one.submitted};
}

void step_notifier::submitted(observer& current, const action& work, const step& next,
                              const submitting_call* call) const {
  observed_step notice = observed(work, next);
  std::vector<step_position> waits_for;
  for (const auto& each : next.waits) {
    if (const auto source = each->source()) {
      waits_for.push_back(source->position_of(each->position()));
    }
  }
  notice.waits_for = waits_for;
  notice.call = call;
  current.submitted(notice);
  if (call == nullptr) return;
  if (call->recorded_event != 0) {
    current.recorded({call->recorded_event, position_of(next.position), false, call->function});
  }
  if (call->awaited_event != 0) {
    current.awaited({call->awaited_event, position_of(next.position), false, call->function});
  }
}

observed_step::time step_notifier::notify_started(observer& to, const action& work,
                                                  const step& head) const {
  observed_step notice = observed(work, head);
  notice.started = os::clock::now();
  to.started(notice);
  return notice.started;
}

void step_notifier::notify_landed(observer& to, const action& work, const step& head,
                                  observed_step::time started, const status& outcome) const {
  observed_step notice = observed(work, head);
  notice.started = started;
  notice.landed = os::clock::now();
  to.landed(notice, outcome);
}

void step_notifier::notify_dropped(observer& to, const action& work, const step& one) const {
  observed_step notice = observed(work, one);
  notice.landed = os::clock::now();
  to.landed(notice, {errc::aborted});
}

}  // namespace convoy
