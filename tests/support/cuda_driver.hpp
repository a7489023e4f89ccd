// The CUDA driver in tests.
#pragma once

#include "support/cuda.hpp"

// Entry points that headers show under another name.
extern "C" {
CUresult cuMemcpy3DBatchAsync_ptsz(size_t numOps, CUDA_MEMCPY3D_BATCH_OP* opList, size_t* failIdx,
                                   unsigned long long flags, CUstream hStream);
}

namespace convoy::test {

using driver_stream = api_stream<driver_api>;
using driver_event = api_event<driver_api>;
using driver_gate = api_gate<driver_api>;

// A test that runs with the primary context of device 0, and leaves the stack as it was.
class in_primary_context : public testing::Test {
 protected:
  const primary_context primary{0};
  const pushed here{primary};
};

inline bytes contents_of(CUdeviceptr start, std::size_t count) {
  return read_memory<driver_api>(pointer(start), count);
}

// Device memory and pinned memory that convert to an address of the driver.
class driver_memory : public api_memory<driver_api> {
 public:
  explicit driver_memory(const bytes& contents) : api_memory(memory_kind::device, contents) {}
  operator CUdeviceptr() const { return address(data()); }
};

class driver_pinned : public api_memory<driver_api> {
 public:
  explicit driver_pinned(const bytes& contents) : api_memory(memory_kind::pinned, contents) {}
  operator CUdeviceptr() const { return address(data()); }
};

// A batch of addresses of the driver.
struct driver_batch : api_batch<driver_api> {
  using api_batch::api_batch;

  void add(CUdeviceptr dst, CUdeviceptr src, std::size_t size) {
    api_batch::add(pointer(dst), pointer(src), size);
  }
  void add_blocks(CUdeviceptr dst, CUdeviceptr src, std::size_t each, std::size_t count) {
    api_batch::add_blocks(pointer(dst), pointer(src), each, count);
  }
};

}  // namespace convoy::test
