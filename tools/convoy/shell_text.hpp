// Text for shells.
#pragma once

#include <string>

namespace convoy::tools {

// Quoted as one word of a POSIX shell.
inline std::string shell_quoted(const std::string& text) {
  std::string made = "'";
  for (const char each : text) made += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return made + "'";
}

// Quoted as one word of fish, whose single quotes know two escapes.
inline std::string fish_quoted(const std::string& text) {
  std::string made = "'";
  for (const char each : text) {
    if (each == '\'' || each == '\\') made += '\\';
    made += each;
  }
  return made + "'";
}

}  // namespace convoy::tools
