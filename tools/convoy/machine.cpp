#include "machine.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "os/cpu_features.hpp"
#include "os/process.hpp"
#include "shared/terminal.hpp"

namespace convoy::tools {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

// The text after the colon in the first line that begins with `name`.
std::string value_in(const fs::path& file, std::string_view name) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(name)) continue;
    const auto colon = line.find(':');
    const auto from = colon == std::string::npos ? colon : line.find_first_not_of(" \t", colon + 1);
    return from == std::string::npos ? "" : line.substr(from);
  }
  return "";
}

std::size_t kibibytes_in_meminfo(std::string_view name) {
  return std::strtoull(value_in("/proc/meminfo", name).c_str(), nullptr, 10) * 1024;
}

int count_nodes() {
  int found = 0;
  std::error_code none;
  for (const auto& each : fs::directory_iterator("/sys/devices/system/node", none)) {
    const std::string name = each.path().filename();
    found += name.starts_with("node") && name.find_first_not_of("0123456789", 4) == name.npos;
  }
  return std::max(found, 1);
}

// "[madvise]" in "always [madvise] never"
std::string bracketed_word(const std::string& line) {
  const auto from = line.find('[');
  const auto to = line.find(']');
  return from == line.npos || to == line.npos ? "unavailable"
                                              : line.substr(from + 1, to - from - 1);
}

std::string name_of(os::vectors widest) {
  switch (widest) {
    case os::vectors::baseline:
#if defined(__aarch64__)
      return "NEON";
#else
      return "SSE2";
#endif
    case os::vectors::avx2: return "AVX2";
    case os::vectors::avx512: return "AVX-512";
  }
  return "unknown";
}

std::size_t address_limit() {
  struct rlimit limit = {};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
  return limit.rlim_cur;
}

}  // namespace

machine this_machine() {
  machine here;
  const os::processor found = os::this_processor();
  here.processor = value_in("/proc/cpuinfo", "model name");
  if (here.processor.empty()) here.processor = "unknown";
  here.processors = os::cpu_count();
  here.installed = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  here.numa_nodes = count_nodes();
  here.l2 = found.l2;
  here.l3 = found.l3;
  here.vectors = name_of(found.widest);
  here.huge_pages = bracketed_word(first_line("/sys/kernel/mm/transparent_hugepage/enabled"));
  here.memory = kibibytes_in_meminfo("MemTotal");
  here.memory_left = kibibytes_in_meminfo("MemAvailable");
  here.address_limit = address_limit();
  if (::getloadavg(&here.load, 1) != 1) here.load = 0;
  const std::string flags = " " + value_in("/proc/cpuinfo", "flags") + " ";
  here.is_virtual = flags.find(" hypervisor ") != flags.npos;
  return here;
}

std::vector<std::string> warnings_about(const machine& here) {
  std::vector<std::string> all;
  if (here.huge_pages != "always" && here.huge_pages != "madvise") {
    all.push_back(
        "Transparent huge pages are off; scattered small copies can take twice as long: "
        "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled");
  }
  if (here.processors == 1) {
    all.push_back("The process may use one CPU only; give it more (taskset, docker --cpus).");
  } else if (here.processors < here.installed) {
    all.push_back(fmt::format("The process may use {} of {} CPUs; see taskset and cgroups.",
                              here.processors, here.installed));
  }
  if (here.numa_nodes > 1) {
    all.push_back(fmt::format(
        "There are {} NUMA nodes, and copies between them are slower: numactl --cpunodebind=0 "
        "--membind=0 keeps a process on one.",
        here.numa_nodes));
  }
  if (here.vectors == "SSE2") {
    all.push_back("The CPU has no AVX2; in a virtual machine pass the host's CPU model through.");
  }
  if (here.load > here.processors) {
    all.push_back(fmt::format("Other processes keep the machine busy (load {:.1f} on {} CPUs).",
                              here.load, here.processors));
  }
  if (here.address_limit != 0) {
    all.push_back(
        fmt::format("The address space is limited to {} (ulimit -v), so devices have less memory.",
                    size_text(here.address_limit)));
  }
  if (here.memory_left < here.memory / 10) {
    all.push_back("Less than a tenth of the memory is available; set CONVOY_DEVICE_MEMORY.");
  }
  return all;
}

void to_json(nlohmann::json& into, const machine& from) {
  into = {{"processor", from.processor},
          {"processors", from.processors},
          {"installed_processors", from.installed},
          {"numa_nodes", from.numa_nodes},
          {"l2_bytes", from.l2},
          {"l3_bytes", from.l3},
          {"vectors", from.vectors},
          {"huge_pages", from.huge_pages},
          {"memory_bytes", from.memory},
          {"memory_left_bytes", from.memory_left},
          {"virtual", from.is_virtual},
          {"load", from.load}};
}

}  // namespace convoy::tools
