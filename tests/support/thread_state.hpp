// What a thread of this process is doing, as the kernel reports it.
#pragma once

#include <fstream>
#include <string>

namespace convoy::test {

// True while the thread is blocked in a system call that a signal would interrupt, as in a futex.
inline bool is_asleep(long thread_id) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread_id) + "/stat");
  std::string line;
  std::getline(file, line);
  const auto name_end = line.rfind(") ");
  return name_end != std::string::npos && line.compare(name_end + 2, 1, "S") == 0;
}

}  // namespace convoy::test
