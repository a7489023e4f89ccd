// The variables Convoy reads from the environment, once, at the first call, and what they came to.
#pragma once

#include <convoy/export.hpp>
#include <convoy/status.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace convoy {

struct setting {
  std::string_view name;     // of the variable
  std::string_view accepts;  // what it accepts
  std::string_view meaning;  // what it does, and the default
  std::string value;         // in force, whether it was set or not
};

// All of them, by name.
CONVOY_EXPORT result<std::vector<setting>> settings();

// The value in force of one variable; an unknown name is refused with invalid_argument.
CONVOY_EXPORT result<std::string> setting_value(std::string_view name);

}  // namespace convoy
