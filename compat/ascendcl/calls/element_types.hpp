// Sizes of data types, conversion of half-precision numbers, and data buffers.
#pragma once

#include <acl/acl.h>

#include <cstddef>
#include <cstdint>

#include "state/call_status.hpp"

struct aclDataBuffer {
  void* start = nullptr;
  std::size_t bytes = 0;
};

namespace convoy::ascendcl {

// In bytes; 0 for types of less than a byte and for strings.
std::size_t size_of(aclDataType type);

float to_float(std::uint32_t half);

// Rounds to nearest, ties to even.
std::uint32_t to_half(float value);

call_status destroy_buffer(const aclDataBuffer* buffer);
call_status update_buffer(aclDataBuffer* buffer, void* start, std::size_t bytes);

}  // namespace convoy::ascendcl
