// What the environment asks for. An unknown CONVOY_ variable or value is an error that names the
// accepted ones, because a silent typo costs its author an afternoon.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace convoy {

struct configuration {
  int devices = 2;
  std::size_t device_memory = 0;  // bytes for each device; 0: half the machine, shared out
  int workers = 0;                // 0: one fewer than there are processors
  bool isolate = false;
  bool log_failures = false;
  bool log_summary = false;
  std::string trace;  // file; empty: none
  std::string soc = "Ascend910B1";
  std::string run_mode = "ep";
};

using environment = std::vector<std::pair<std::string, std::string>>;

// The configuration, or a sentence that says which variable is wrong and what it takes.
std::variant<configuration, std::string> read_configuration(const environment& variables);

// A variable as a person wants to see it.
struct resolved_variable {
  std::string_view name;
  std::string_view accepts;
  std::string_view meaning;
  std::string value;
};

// Every variable, by name, with the value the configuration gives it.
std::vector<resolved_variable> resolved_variables(const configuration& config);

}  // namespace convoy
