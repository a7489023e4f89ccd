// The CUDA runtime in tests.
#pragma once

#include "support/cuda_api.hpp"

namespace convoy::test {

using cuda_stream = api_stream<runtime_api>;
using cuda_event = api_event<runtime_api>;
using cuda_gate = api_gate<runtime_api>;
using cuda_memory = api_memory<runtime_api>;
using cuda_batch = api_batch<runtime_api>;

// Runs `body` with another device as the current one.
template <class Body>
void on_device(int device, const Body& body) {
  runtime_api::on_device(device, body);
}

inline bytes contents_of(const void* start, std::size_t count) {
  return read_memory<runtime_api>(start, count);
}

}  // namespace convoy::test
