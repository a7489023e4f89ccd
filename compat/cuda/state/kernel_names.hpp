// The names of kernels, as programs and people write them.
#pragma once

#include <string>
#include <string_view>

namespace convoy::cuda {

// The name as c++filt prints it. A name that is not mangled, or too long to be demangled, is
// returned as it is.
std::string demangled(const std::string& name);

// True for a name with a `*`, which stands for any characters, also none.
bool is_pattern(std::string_view name) noexcept;
bool matches(std::string_view pattern, std::string_view text) noexcept;

}  // namespace convoy::cuda
