// How long a test waits to show that something does not happen.
//
// Absence raises no event, so these tests have to wait for a time. A short one is enough: a thread
// that waits for a stream runs whatever work of the stream may run, so a step that wrongly may run
// does so at once, in the waiting thread. A slow machine can hide a defect, but not report a false
// one.
#pragma once

#include <chrono>

namespace convoy::test {

inline constexpr std::chrono::milliseconds short_wait{2};

}  // namespace convoy::test
