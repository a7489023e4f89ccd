// The CPUs that a process may use: its affinity mask and the CPU quotas of its cgroups.
#pragma once

#include <optional>
#include <string>

namespace convoy::os {

// The smallest CPU quota of the process's cgroups and all their ancestors, in CPUs; none without a
// quota. Reads version 1 (cpu.cfs_quota_us and cpu.cfs_period_us) and version 2 (cpu.max). All
// files are read below the folder `root`.
std::optional<double> cgroup_cpu_quota(const std::string& root = {});

enum class cpu_limit { affinity, cgroup_quota };

struct usable_cpus {
  int count = 1;
  cpu_limit limit = cpu_limit::affinity;  // what makes it no more
};

// A quota of a part of a CPU counts as a whole one.
usable_cpus usable_cpus_of(int in_affinity, std::optional<double> quota) noexcept;

// For this process.
usable_cpus count_usable_cpus();

}  // namespace convoy::os
