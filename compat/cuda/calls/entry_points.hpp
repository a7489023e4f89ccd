// Look-up of driver functions by name, for cuGetProcAddress() and cudaGetDriverEntryPoint().
//
// One name stands for several symbols: versions with different parameters, and a form for each
// default stream. The caller names the CUDA version it was written for and gets the form that was
// current in that version, or in the version that the driver reports if that is older.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace convoy::cuda {

struct entry_point {
  std::string_view symbol;  // the exported name
  int version;              // of CUDA that introduced it: 12080 is 12.8
  void (*function)();       // type-erased
};

// All exported driver functions, sorted by symbol. Generated from exports.txt and versions.txt.
std::span<const entry_point> entry_points() noexcept;

enum class default_stream_form : std::uint8_t { legacy, per_thread };

// With the values of CUdriverProcAddressQueryResult.
enum class lookup_result : std::uint8_t { success, symbol_not_found, version_not_sufficient };

struct entry_lookup {
  lookup_result result = lookup_result::symbol_not_found;
  void* function = nullptr;
  int version = 0;  // the older of the requested one and the driver's
};

// For a program that leaves the choice to the driver.
inline constexpr int newest_version = std::numeric_limits<int>::max();

// Finds the form of `name` for a program written for CUDA `version`.
entry_lookup find_entry(std::string_view name, int version, default_stream_form form) noexcept;

}  // namespace convoy::cuda
