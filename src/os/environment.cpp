#include "os/environment.hpp"

#include <sys/auxv.h>
#include <unistd.h>

namespace convoy::os {

bool secure_execution() noexcept { return ::getauxval(AT_SECURE) != 0; }

std::vector<std::pair<std::string, std::string>> variables(std::string_view prefix, bool secure) {
  std::vector<std::pair<std::string, std::string>> found;
  if (secure) return found;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    const std::string_view line = *each;
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || line.substr(0, prefix.size()) != prefix) continue;
    found.emplace_back(line.substr(0, equals), line.substr(equals + 1));
  }
  return found;
}

}  // namespace convoy::os
