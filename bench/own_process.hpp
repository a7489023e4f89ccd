// A process has one configuration, so a benchmark of configurations starts its own program.
#pragma once

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace convoy::bench {

// The number that this program prints when it is started with `argument`; 0 when it fails.
inline double number_from_own_process(const std::string& argument) {
  const std::string command = fmt::format("/proc/{}/exe {} 2>/dev/null", ::getpid(), argument);
  std::FILE* const child = ::popen(command.c_str(), "r");
  double answer = 0;
  if (child == nullptr || std::fscanf(child, "%lf", &answer) != 1) answer = 0;
  if (child != nullptr) ::pclose(child);
  return answer;
}

// The same with an environment variable set.
inline double number_from_own_process(const char* variable, const std::string& value,
                                      const std::string& argument) {
  ::setenv(variable, value.c_str(), 1);
  const double answer = number_from_own_process(argument);
  ::unsetenv(variable);
  return answer;
}

}  // namespace convoy::bench
