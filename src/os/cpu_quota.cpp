#include "os/cpu_quota.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include "os/process.hpp"

namespace convoy::os {
namespace {

using text = std::string_view;

// Which hierarchy holds CPU quotas: version 1 has one for each controller, version 2 one for all.
enum class version { one, two };

// A mounted hierarchy of cgroups. `top` is the cgroup that the mount point shows.
struct mounted_cgroups {
  version kind = version::two;
  std::string top;
  std::string mount_point;
};

bool lists(text list, text word) {
  for (;;) {
    const auto comma = list.find(',');
    if (list.substr(0, comma) == word) return true;
    if (comma == text::npos) return false;
    list.remove_prefix(comma + 1);
  }
}

// mountinfo writes a space, a tab, a newline and a backslash as \ooo.
std::string unescaped(text escaped) {
  const auto is_octal = [](char c) { return c >= '0' && c <= '7'; };
  std::string plain;
  for (std::size_t i = 0; i != escaped.size(); ++i) {
    const text code = escaped.substr(i, 4);
    if (code.size() == 4 && code[0] == '\\' &&
        std::all_of(code.begin() + 1, code.end(), is_octal)) {
      plain += static_cast<char>((code[1] - '0') * 64 + (code[2] - '0') * 8 + (code[3] - '0'));
      i += 3;
    } else {
      plain += escaped[i];
    }
  }
  return plain;
}

// A line of mountinfo: id, parent, device, root, mount point, options, optional fields, a hyphen,
// file system type, source, options of the file system.
std::optional<mounted_cgroups> parse_mount(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  const auto hyphen = std::find(words.begin(), words.end(), "-");
  if (hyphen - words.begin() < 6 || words.end() - hyphen < 4) return {};
  const bool first = hyphen[1] == "cgroup" && lists(hyphen[3], "cpu");
  if (!first && hyphen[1] != "cgroup2") return {};
  return mounted_cgroups{first ? version::one : version::two, unescaped(words[3]),
                         unescaped(words[4])};
}

// The cgroup of the process in the hierarchy; a line is "id:controllers:cgroup", and version 2 has
// no controllers.
std::optional<std::string> cgroup_in(const std::string& root, version kind) {
  std::ifstream in(root + "/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const text controllers = text(line).substr(first + 1, second - first - 1);
    const bool matches = kind == version::two ? controllers.empty() : lists(controllers, "cpu");
    if (matches) return line.substr(second + 1);
  }
  return {};
}

// The part of `cgroup` below `top`; empty for a cgroup that the mount does not show.
std::string below(const std::string& cgroup, text top) {
  if (top == "/") top = {};
  if (!cgroup.starts_with(top) || cgroup.find("/..") != std::string::npos) return {};
  std::string rest = cgroup.substr(top.size());
  if (!rest.starts_with('/') || rest == "/") return {};
  return rest;
}

// The quota of one cgroup: a number or "max", and the period.
std::optional<double> quota_in(const std::string& folder, version kind) {
  double quota = 0;
  double period = 0;
  if (kind == version::two) {
    std::ifstream(folder + "/cpu.max") >> quota >> period;
  } else {
    std::ifstream(folder + "/cpu.cfs_quota_us") >> quota;
    std::ifstream(folder + "/cpu.cfs_period_us") >> period;
  }
  if (quota <= 0 || period <= 0) return {};
  return quota / period;
}

void lower(std::optional<double>& smallest, std::optional<double> other) {
  if (other && (!smallest || *other < *smallest)) smallest = other;
}

// The smallest quota from the cgroup of the process up to the mount point.
std::optional<double> quota_in(const std::string& root, const mounted_cgroups& mount) {
  const auto cgroup = cgroup_in(root, mount.kind);
  if (!cgroup) return {};
  const std::string folder = root + mount.mount_point;
  std::optional<double> smallest = quota_in(folder, mount.kind);
  for (std::string rest = below(*cgroup, mount.top); !rest.empty();) {
    lower(smallest, quota_in(folder + rest, mount.kind));
    rest.erase(rest.rfind('/'));
  }
  return smallest;
}

}  // namespace

std::optional<double> cgroup_cpu_quota(const std::string& root) {
  std::optional<double> smallest;
  std::ifstream mounts(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    if (const auto mount = parse_mount(line)) lower(smallest, quota_in(root, *mount));
  }
  return smallest;
}

usable_cpus usable_cpus_of(int in_affinity, std::optional<double> quota) noexcept {
  if (!quota || std::ceil(*quota) >= in_affinity) return {in_affinity, cpu_limit::affinity};
  return {std::max(1, static_cast<int>(std::ceil(*quota))), cpu_limit::cgroup_quota};
}

usable_cpus count_usable_cpus() { return usable_cpus_of(cpu_count(), cgroup_cpu_quota()); }

}  // namespace convoy::os
