#include "state/kernel_names.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace convoy::cuda {

std::string demangled(const std::string& name) {
  // The demangler takes names of types as well: it would turn the C function `f` into `float`.
  if (!name.starts_with("_Z")) return name;
  int failed = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &failed), std::free);
  return text == nullptr ? name : std::string(text.get());
}

bool is_pattern(std::string_view name) noexcept { return name.find('*') != std::string_view::npos; }

// Only the last `*` is ever tried again: an earlier one that takes more characters cannot help.
bool matches(std::string_view pattern, std::string_view text) noexcept {
  std::size_t in_pattern = 0;
  std::size_t in_text = 0;
  std::size_t after_star = std::string_view::npos;
  std::size_t retry_from = 0;
  while (in_text != text.size()) {
    if (in_pattern != pattern.size() && pattern[in_pattern] == '*') {
      after_star = ++in_pattern;
      retry_from = in_text;
    } else if (in_pattern != pattern.size() && pattern[in_pattern] == text[in_text]) {
      ++in_pattern;
      ++in_text;
    } else if (after_star != std::string_view::npos) {
      in_pattern = after_star;
      in_text = ++retry_from;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in_pattern) == std::string_view::npos;
}

}  // namespace convoy::cuda
