// Work on a device port as a call that returns the outcome, whenever the port finishes it.
#pragma once

#include <future>
#include <memory>
#include <optional>

#include "seam/device.hpp"
#include "support/eventually.hpp"

namespace convoy::test {

class future_completion final : public completion {
 public:
  void complete(const status& outcome) override { outcome_.set_value(outcome); }

  // timed_out when the work does not finish in time.
  status wait() {
    auto finished = outcome_.get_future();
    if (finished.wait_for(time_limit) == std::future_status::ready) return finished.get();
    return {errc::timed_out};
  }

 private:
  std::promise<status> outcome_;
};

template <class Start>
status finish_in_time(const Start& start) {
  auto done = std::make_unique<future_completion>();
  const started_work outcome = start(*done);
  if (outcome) return *outcome;
  const status finished = done->wait();
  if (finished.code == errc::timed_out) static_cast<void>(done.release());  // may still be called
  return finished;
}

inline status run_on(device_port& port, const copy_work& work) {
  return finish_in_time([&](completion& done) { return port.start(work, done); });
}
inline status run_on(device_port& port, const pitched_copy& work) {
  return finish_in_time([&](completion& done) { return port.start(work, done); });
}
inline status fill_on(device_port& port, const pitched& target, const box& extent,
                      fill_pattern pattern) {
  return finish_in_time(
      [&](completion& done) { return port.start_fill(target, extent, pattern, done); });
}
inline status reduce_on(device_port& port, const reduction& work) {
  return finish_in_time([&](completion& done) { return port.start_reduce(work, done); });
}

}  // namespace convoy::test
