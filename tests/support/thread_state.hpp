// What the threads of this process are doing, as the kernel reports it.
#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

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

// True while the thread sleeps on a futex without a deadline: the kernel shows the arguments of the
// system call a thread is in, and the timeout is the fourth.
inline bool sleeps_without_deadline(long thread_id) {
  std::istringstream words(proc_line(thread_id, "syscall", ""));
  std::string call;
  std::string address;
  std::string operation;
  std::string value;
  std::string timeout;
  words >> call >> address >> operation >> value >> timeout;
  return is_asleep(thread_id) && timeout == "0x0";
}

// The threads of this name.
inline std::vector<long> threads_named(const std::string& name) {
  std::vector<long> found;
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/task")) {
    const long id = std::stol(each.path().filename());
    if (proc_line(id, "comm", "") == name) found.push_back(id);
  }
  return found;
}

}  // namespace convoy::test
