// How long a test waits for what must not happen.
//
// A thread that waits runs whatever may run, so a moment is enough to show that a step may not.
#pragma once

#include <chrono>

namespace convoy::test {

inline constexpr std::chrono::milliseconds moment{2};

}  // namespace convoy::test
