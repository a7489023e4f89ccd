// The properties of this machine that decide how fast copies are.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace convoy::tools {

struct machine {
  std::string processor;  // model name
  int processors = 0;     // CPUs that this process may use
  int installed = 0;
  int numa_nodes = 1;
  std::size_t l2 = 0;
  std::size_t l3 = 0;
  std::string vectors;     // instruction set of the copy kernels
  std::string huge_pages;  // "always", "madvise" or "never"
  std::size_t memory = 0;
  std::size_t memory_left = 0;
  std::size_t address_limit = 0;  // 0: none
  double load = 0;
  bool is_virtual = false;
};

machine this_machine();

// A sentence for each property that makes copies slow, with the remedy.
std::vector<std::string> warnings_about(const machine& here);

void to_json(nlohmann::json& into, const machine& from);

}  // namespace convoy::tools
