// The process and its threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace convoy::os {

// Notices forks from now on. In a child, forked() is true for ever.
void watch_forks() noexcept;
extern std::atomic<bool> in_forked_child;
[[nodiscard]] inline bool forked() noexcept {
  return in_forked_child.load(std::memory_order_relaxed);
}

// A process, told apart from a later one with the same number by when it started.
struct process_id {
  std::int32_t number = 0;
  std::uint64_t started = 0;

  friend bool operator==(const process_id&, const process_id&) = default;
};

process_id this_process() noexcept;
std::int32_t pid() noexcept;
[[nodiscard]] bool is_alive(const process_id& who) noexcept;
[[nodiscard]] bool is_alive(std::int32_t number) noexcept;

// Processors this process may run on.
int cpu_count() noexcept;

// Lets another thread have this processor.
void yield() noexcept;

void name_thread(const char* name) noexcept;

// A pointer of each thread's own. `destroy` gets it when the thread ends, and once more what is set
// after that: by then other things of the thread's may still be ending.
class thread_pointer {
 public:
  explicit thread_pointer(void (*destroy)(void*)) noexcept;
  [[nodiscard]] void* get() const noexcept;
  void set(void* pointer) const noexcept;

 private:
  unsigned key_ = 0;
};

// As people and tools know the calling thread: its name and its number in the system.
std::string thread_name();
std::uint32_t thread_id() noexcept;

// The name of the program and its arguments.
std::string command_line();

// Calls `last` when the process exits in order. A forked child that exits calls it as well.
void at_exit(void (*last)()) noexcept;

}  // namespace convoy::os
