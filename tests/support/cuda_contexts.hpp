// Contexts of the CUDA driver in tests, and the declarations of both APIs.
//
// Works with Convoy's headers and with NVIDIA's alike.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <bit>
#include <stdexcept>

namespace convoy::test {

// Without success the test fails and ends.
inline void must(cudaError_t answer) {
  if (answer != cudaSuccess) throw std::runtime_error(cudaGetErrorName(answer));
}
inline void must(CUresult answer) {
  const char* name = "unknown";
  if (answer == CUDA_SUCCESS) return;
  cuGetErrorName(answer, &name);
  throw std::runtime_error(name);
}

inline CUdeviceptr address(const void* pointer) { return std::bit_cast<CUdeviceptr>(pointer); }
inline unsigned char* pointer(CUdeviceptr address) {
  return std::bit_cast<unsigned char*>(address);
}

inline CUcontext current() {
  CUcontext found = nullptr;
  must(cuCtxGetCurrent(&found));
  return found;
}

// The primary context of a device, retained.
class primary_context {
 public:
  explicit primary_context(CUdevice device) : device_(device) {
    must(cuInit(0));
    must(cuDevicePrimaryCtxRetain(&handle_, device));
  }
  ~primary_context() { cuDevicePrimaryCtxRelease(device_); }
  primary_context(const primary_context&) = delete;
  primary_context& operator=(const primary_context&) = delete;
  operator CUcontext() const { return handle_; }

 private:
  CUdevice device_;
  CUcontext handle_ = nullptr;
};

// Makes a context current for as long as it lives.
class pushed {
 public:
  explicit pushed(CUcontext context) { must(cuCtxPushCurrent(context)); }
  ~pushed() { cuCtxPopCurrent(nullptr); }
  pushed(const pushed&) = delete;
  pushed& operator=(const pushed&) = delete;
};

}  // namespace convoy::test
