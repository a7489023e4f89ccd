// Waiting that releases the GIL and that Ctrl-C interrupts.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <convoy/status.hpp>
#include <optional>

#include "released_gil.hpp"

namespace convoy::python {

// Calls `wait(timeout)` until it returns another status than timed_out, the seconds have passed, or
// a signal handler raises. The GIL is released meanwhile.
template <class Wait>
status wait_interruptibly(std::optional<double> seconds, const Wait& wait) {
  using clock = std::chrono::steady_clock;
  constexpr std::chrono::nanoseconds signal_check_period = std::chrono::milliseconds(100);
  constexpr double longest_wait = 1e9;
  const auto time_left =
      [end =
           clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(
                              std::min(seconds.value_or(longest_wait), longest_wait)))] {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(end - clock::now());
      };
  while (true) {
    const auto left = std::max(time_left(), std::chrono::nanoseconds(0));
    status outcome;
    {
      const released_gil without_gil;
      outcome = wait(std::min(left, signal_check_period));
    }
    if (outcome.code != errc::timed_out || left <= signal_check_period) return outcome;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
  }
}

}  // namespace convoy::python
