// Arguments of Python calls that are checked here, so that an error names the argument and not the
// signature of a C++ function.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <optional>
#include <string_view>

namespace convoy::python {

// A non-negative integer; any object with __index__.
std::size_t to_size(nanobind::handle value, const char* argument);

// As to_size(); nothing for None.
std::optional<std::size_t> to_optional_size(nanobind::handle value, const char* argument);

// The text lives as long as the object.
std::string_view to_text(nanobind::handle value, const char* argument);

// TypeError: "<argument> must be <expected>, not '<type of the value>'".
[[noreturn]] void raise_wrong_type(nanobind::handle value, const char* argument,
                                   const char* expected);

}  // namespace convoy::python
