// Numbers that a run of the stress tests can set in the environment, to repeat or to lengthen it.
// Not CONVOY_ variables: those are the engine's.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace convoy::test {

inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace convoy::test
