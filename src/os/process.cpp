#include "os/process.hpp"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace convoy::os {

std::atomic<bool> in_forked_child{false};

void watch_forks() noexcept {
  static const bool once = [] {
    pthread_atfork(nullptr, nullptr,
                   [] { in_forked_child.store(true, std::memory_order_relaxed); });
    return true;
  }();
  static_cast<void>(once);
}

int processors() noexcept {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  return CPU_COUNT(&allowed);
}

void yield() noexcept { sched_yield(); }

void name_thread(const char* name) noexcept { pthread_setname_np(pthread_self(), name); }

std::string thread_name() {
  std::array<char, 16> name = {};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  return name.data();
}

std::uint32_t thread_number() noexcept { return static_cast<std::uint32_t>(::gettid()); }

std::uint32_t process_number() noexcept { return static_cast<std::uint32_t>(::getpid()); }

std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  while (!text.empty() && text.back() == '\0') text.pop_back();
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

void at_exit(void (*last)()) noexcept { std::atexit(last); }

}  // namespace convoy::os
