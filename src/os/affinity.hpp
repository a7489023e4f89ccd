// On which CPUs a thread may run.
#pragma once

#include <sched.h>

#include <cstdint>

namespace convoy::os {

// The CPU the calling thread runs on; negative when the system does not tell.
int current_cpu() noexcept;

// A set of CPUs, read from a thread and given to one. Thread 0 is the calling thread.
class cpu_affinity {
 public:
  // False when the system refuses.
  bool read(std::uint32_t thread) noexcept;
  [[nodiscard]] bool apply(std::uint32_t thread) const noexcept;

  void remove(int cpu) noexcept { CPU_CLR(static_cast<std::size_t>(cpu), &cpus_); }
  [[nodiscard]] bool empty() const noexcept { return CPU_COUNT(&cpus_) == 0; }

 private:
  cpu_set_t cpus_ = {};
};

}  // namespace convoy::os
