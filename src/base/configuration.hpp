// The configuration that the environment variables CONVOY_* ask for. An unknown variable or value
// is an error that names the accepted ones, because an ignored typo is hard to find.
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
  std::size_t device_memory = 0;  // bytes of each device; 0: half of physical memory, divided
  int workers = 0;                // 0: one fewer than there are CPUs
  std::string_view cpus_from;     // what limits the CPUs, when they set the number of workers
  bool isolate = false;
  std::string kernels;  // plug-ins, and `skip`, separated by colons
  bool torch = true;    // read by convoy.torch alone
  bool log_failures = false;
  bool log_summary = false;
  std::string trace;  // path; empty: no trace
  std::string cuda_capability = "8.0";
  std::string cuda_version = "13.2";
  std::string soc = "Ascend910B1";
  std::string run_mode = "ep";
  std::vector<std::string_view> set;  // the variables that the environment sets
};

using environment = std::vector<std::pair<std::string, std::string>>;

// The configuration, or a sentence that names the wrong variable and the values it takes.
std::variant<configuration, std::string> read_configuration(const environment& variables);

// A variable with its description and its value in text form.
struct resolved_variable {
  std::string_view name;
  std::string_view accepts;
  std::string_view meaning;
  std::string value;
  std::string_view source;  // "environment", "default", or what limits the CPUs
};

// Every variable, sorted by name, with its value in the configuration.
std::vector<resolved_variable> resolved_variables(const configuration& config);

}  // namespace convoy
