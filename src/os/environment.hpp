// The process environment.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace convoy::os {

// True in a program that a less privileged user has started: setuid, setgid or with file
// capabilities (AT_SECURE). That user chose the environment, so none of it is to be trusted.
[[nodiscard]] bool secure_execution() noexcept;

// Name and value of every variable whose name starts with `prefix`; none in secure execution.
std::vector<std::pair<std::string, std::string>> variables(std::string_view prefix,
                                                           bool secure = secure_execution());

}  // namespace convoy::os
