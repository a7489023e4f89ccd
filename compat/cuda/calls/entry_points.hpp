// The functions of the driver by name, for programs that look them up at run time.
//
// One name stands for several functions: later versions of CUDA changed what some take, and most
// that take a stream exist a second time, with the thread's own stream for 0. The caller says which
// version he was written for and gets the form that was current then.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace convoy::cuda {

struct entry_point {
  std::string_view symbol;  // as it is exported
  int version;              // of CUDA that it came with: 12080 is 12.8
  void (*function)();       // in truth it takes what it takes
};

// All of them, by symbol. Written by CMake from exports.txt and versions.txt.
std::span<const entry_point> entry_points() noexcept;

enum class default_stream_form : std::uint8_t { legacy, per_thread };

// With the values of CUdriverProcAddressQueryResult.
enum class lookup_result : std::uint8_t { success, symbol_not_found, version_not_sufficient };

struct entry_lookup {
  lookup_result result = lookup_result::symbol_not_found;
  void* function = nullptr;
};

// The form of `name` that a program written for `version` means.
entry_lookup find_entry(std::string_view name, int version, default_stream_form form) noexcept;

}  // namespace convoy::cuda
