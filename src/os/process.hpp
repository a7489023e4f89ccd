// The process and its threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace convoy::os {

// Registers a fork handler: from then on forked() is true in every child process.
void watch_forks() noexcept;
extern std::atomic<bool> in_forked_child;
[[nodiscard]] inline bool forked() noexcept {
  return in_forked_child.load(std::memory_order_relaxed);
}

// A PID and the start time, which distinguishes the process from a later one with the same PID.
struct process_id {
  std::int32_t number = 0;
  std::uint64_t started = 0;

  friend bool operator==(const process_id&, const process_id&) = default;
};

process_id this_process() noexcept;
std::int32_t pid() noexcept;
[[nodiscard]] bool is_alive(const process_id& process) noexcept;
[[nodiscard]] bool is_alive(std::int32_t pid) noexcept;

// Number of CPUs in the affinity mask of the calling thread.
int cpu_count() noexcept;

// Gives up the CPU to another ready thread.
void yield() noexcept;

void name_thread(const char* name) noexcept;

// A pointer per thread (pthread key). `destroy` is called with it when the thread ends, and again
// if another destructor of the thread sets a new pointer.
class thread_pointer {
 public:
  explicit thread_pointer(void (*destroy)(void*)) noexcept;
  [[nodiscard]] void* get() const noexcept;
  void set(void* pointer) const noexcept;

 private:
  unsigned key_ = 0;
};

// Name and kernel thread id of the calling thread.
std::string thread_name();
std::uint32_t thread_id() noexcept;

// The program name and its arguments, separated by spaces.
std::string command_line();

// Calls `function` at exit(), in forked children as well.
void at_exit(void (*function)()) noexcept;

}  // namespace convoy::os
