// What the threads of this process are doing, as the kernel reports it.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace convoy::test {

// The first line of a file of a thread in /proc that starts with `label`; empty when there is none.
inline std::string proc_line(long thread_id, const std::string& file, const std::string& label) {
  std::ifstream in("/proc/self/task/" + std::to_string(thread_id) + '/' + file);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(label)) return line;
  }
  return {};
}

// True while the thread is blocked in a system call that a signal would interrupt, as in a futex.
inline bool is_asleep(long thread_id) {
  const std::string line = proc_line(thread_id, "stat", "");
  const auto name_end = line.rfind(") ");
  return name_end != std::string::npos && line.compare(name_end + 2, 1, "S") == 0;
}

// The threads of this name, each with the number of times it has gone to sleep.
inline std::map<long, std::string> sleeps_of(const std::string& name) {
  std::map<long, std::string> found;
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/task")) {
    const long id = std::stol(each.path().filename());
    if (proc_line(id, "comm", "") != name) continue;
    found[id] = proc_line(id, "status", "voluntary_ctxt_switches");
  }
  return found;
}

}  // namespace convoy::test
