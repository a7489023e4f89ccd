// Work on a device port as a call that returns the outcome, whenever the port finishes it.
#pragma once

#include "seam/device.hpp"
#include "submit/finish_now.hpp"

namespace convoy::test {

inline status run_on(device_port& port, const copy_work& work) {
  return finish_now([&](completion& done) { return port.start(work, done); });
}
inline status run_on(device_port& port, const pitched_copy& work) {
  return finish_now([&](completion& done) { return port.start(work, done); });
}
inline status fill_on(device_port& port, const pitched& target, const box& extent,
                      fill_pattern pattern) {
  return finish_now(
      [&](completion& done) { return port.start_fill(target, extent, pattern, done); });
}
inline status reduce_on(device_port& port, const reduction& work) {
  return finish_now([&](completion& done) { return port.start_reduce(work, done); });
}

}  // namespace convoy::test
