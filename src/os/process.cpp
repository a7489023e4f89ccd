#include "os/process.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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

namespace {

// Start time of the process in clock ticks since boot; 0 when there is no such process or it is a
// zombie.
std::uint64_t start_time(std::int32_t pid) noexcept {
  std::array<char, 1024> text = {};
  std::snprintf(text.data(), text.size(), "/proc/%d/stat", pid);
  const int file = ::open(text.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const auto got = ::read(file, text.data(), text.size() - 1);
  ::close(file);
  if (got <= 0) return 0;
  text[static_cast<std::size_t>(got)] = 0;

  // The name in parentheses may contain any character. After it: the state, 18 fields, the start
  // time.
  const char* word = std::strrchr(text.data(), ')');
  if (word != nullptr && (word[2] == 'Z' || word[2] == 'X')) return 0;
  for (int skipped = 0; word != nullptr && skipped != 20; ++skipped) {
    word = std::strchr(word + 1, ' ');
  }
  return word == nullptr ? 0 : std::strtoull(word, nullptr, 10);
}

}  // namespace

std::int32_t pid() noexcept { return ::getpid(); }

process_id this_process() noexcept { return {::getpid(), start_time(::getpid())}; }

bool is_alive(const process_id& process) noexcept {
  return start_time(process.number) == process.started;
}

bool is_alive(std::int32_t pid) noexcept { return start_time(pid) != 0; }

int cpu_count() noexcept {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  return CPU_COUNT(&allowed);
}

void yield() noexcept { sched_yield(); }

thread_pointer::thread_pointer(void (*destroy)(void*)) noexcept {
  pthread_key_create(&key_, destroy);
}

void* thread_pointer::get() const noexcept { return pthread_getspecific(key_); }

void thread_pointer::set(void* pointer) const noexcept { pthread_setspecific(key_, pointer); }

void name_thread(const char* name) noexcept { pthread_setname_np(pthread_self(), name); }

std::string thread_name() {
  std::array<char, 16> name = {};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  return name.data();
}

std::uint32_t thread_id() noexcept { return static_cast<std::uint32_t>(::gettid()); }

std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  while (!text.empty() && text.back() == '\0') text.pop_back();
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

void at_exit(void (*function)()) noexcept { std::atexit(function); }

}  // namespace convoy::os
