// The process environment.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace convoy::os {

// Name and value of every variable whose name starts with `prefix`.
std::vector<std::pair<std::string, std::string>> variables(std::string_view prefix);

}  // namespace convoy::os
