// The CONVOY_ environment variables and the values in force.
//
// Convoy reads them once, at its first call; changing the environment later has no effect. The two
// functions here are not such a call: they start nothing, and work in a forked child.
// docs/configuration.md describes them.
#pragma once

#include <convoy/export.hpp>
#include <convoy/status.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace convoy {

// One variable. The views point to text that lives as long as the process.
struct setting {
  std::string_view name;     // of the variable, e.g. "CONVOY_DEVICES"
  std::string_view accepts;  // what it accepts
  std::string_view meaning;  // what it does, and the default
  std::string value;         // the value in force, whether the variable is set or not

  // Where the value comes from: "environment", "default", or, for a number of workers that follows
  // the number of CPUs, what limits those: "CPU affinity" or "cgroup CPU quota".
  std::string_view source;
};

// All settings, ordered by name. Returns at once.
CONVOY_EXPORT result<std::vector<setting>> settings();

// The value in force of one variable, named in full ("CONVOY_DEVICES"). Returns at once. Answers
// invalid_argument for a name that is not in settings().
CONVOY_EXPORT result<std::string> setting_value(std::string_view name);

}  // namespace convoy
