// The CPU affinity of a thread.
#pragma once

#include <sched.h>

#include <cstdint>

namespace convoy::os {

// The CPU that the calling thread runs on; negative when the system call fails.
int current_cpu() noexcept;

// A set of CPUs that can be read from a thread and applied to one. Thread 0 is the calling thread.
class cpu_affinity {
 public:
  // False when the system call fails.
  bool read(std::uint32_t thread) noexcept;
  [[nodiscard]] bool apply(std::uint32_t thread) const noexcept;

  void remove(int cpu) noexcept { CPU_CLR(static_cast<std::size_t>(cpu), &cpus_); }
  [[nodiscard]] bool empty() const noexcept { return CPU_COUNT(&cpus_) == 0; }

 private:
  cpu_set_t cpus_ = {};
};

}  // namespace convoy::os
