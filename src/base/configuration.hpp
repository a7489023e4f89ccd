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
};

using environment = std::vector<std::pair<std::string, std::string>>;

// The configuration, or a sentence that says which variable is wrong and what it takes.
std::variant<configuration, std::string> read_configuration(const environment& variables);

// A variable as `convoy info` shows it.
struct variable_help {
  std::string_view name;
  std::string_view takes;
  std::string_view meaning;
};

const std::vector<variable_help>& known_variables();

}  // namespace convoy
