#include "memory_left.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

namespace convoy::demo {
namespace {

std::size_t number_in(const char* file, std::size_t otherwise) {
  std::size_t value = 0;
  return std::ifstream(file) >> value ? value : otherwise;
}

std::size_t left_in_machine() {
  std::ifstream lines("/proc/meminfo");
  for (std::string name; lines >> name;) {
    std::size_t kibibytes = 0;
    if (name == "MemAvailable:" && lines >> kibibytes) return kibibytes * 1024;
  }
  return SIZE_MAX;
}

std::size_t left_in_group() {
  const std::size_t most = number_in("/sys/fs/cgroup/memory.max", SIZE_MAX);
  const std::size_t used = number_in("/sys/fs/cgroup/memory.current", 0);
  return most > used ? most - used : 0;
}

}  // namespace

std::size_t memory_left() { return std::min(left_in_machine(), left_in_group()); }

}  // namespace convoy::demo
