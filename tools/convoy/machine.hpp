// What this machine is, and what about it makes copies slow.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace convoy::tools {

struct machine {
  std::string processor;  // its name
  int processors = 0;     // that this process may use
  int installed = 0;
  int numa_nodes = 1;
  std::size_t l2 = 0;
  std::size_t l3 = 0;
  std::string vectors;     // instruction set the copy kernels use
  std::string huge_pages;  // setting of transparent huge pages
  std::size_t memory = 0;
  std::size_t memory_left = 0;
  std::size_t address_limit = 0;  // 0: none
  double load = 0;
  bool is_virtual = false;
};

machine this_machine();

// A sentence for each thing that makes copies slow, with what to change.
std::vector<std::string> warnings_about(const machine& here);

void to_json(nlohmann::json& into, const machine& from);

}  // namespace convoy::tools
