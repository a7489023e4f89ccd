#include "os/affinity.hpp"

namespace convoy::os {

int current_cpu() noexcept { return ::sched_getcpu(); }

bool cpu_affinity::read(std::uint32_t thread) noexcept {
  return ::sched_getaffinity(static_cast<pid_t>(thread), sizeof cpus_, &cpus_) == 0;
}

bool cpu_affinity::apply(std::uint32_t thread) const noexcept {
  return ::sched_setaffinity(static_cast<pid_t>(thread), sizeof cpus_, &cpus_) == 0;
}

}  // namespace convoy::os
