// The process environment.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace convoy::os {

// Every variable whose name starts with `prefix`, with its value.
std::vector<std::pair<std::string, std::string>> variables(std::string_view prefix);

}  // namespace convoy::os
