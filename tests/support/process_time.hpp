// The CPU time that this process has used.
#pragma once

#include <chrono>
#include <ctime>

namespace convoy::test {

inline std::chrono::nanoseconds process_time() {
  timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

}  // namespace convoy::test
