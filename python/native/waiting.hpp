// Waiting as Python does it: without the GIL, and with an ear for Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <convoy/status.hpp>
#include <optional>

namespace convoy::python {

// Calls `wait(timeout)` until it answers anything but timed_out, the seconds are over, or a signal
// handler raises.
template <class Wait>
status wait_patiently(std::optional<double> seconds, const Wait& wait) {
  using clock = std::chrono::steady_clock;
  constexpr std::chrono::nanoseconds between_signals = std::chrono::milliseconds(100);
  constexpr double for_ever = 1e9;
  const auto left_of = [end = clock::now() + std::chrono::duration_cast<clock::duration>(
                                                 std::chrono::duration<double>(std::min(
                                                     seconds.value_or(for_ever), for_ever)))] {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(end - clock::now());
  };
  while (true) {
    const auto left = std::max(left_of(), std::chrono::nanoseconds(0));
    status outcome;
    {
      const nanobind::gil_scoped_release others_run;
      outcome = wait(std::min(left, between_signals));
    }
    if (outcome.code != errc::timed_out || left <= between_signals) return outcome;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
  }
}

}  // namespace convoy::python
