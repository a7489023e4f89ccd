// The CUDA driver in tests. Works with Convoy's headers and with NVIDIA's alike.
#pragma once

#include <cuda.h>

#include <bit>

#include "support/cuda.hpp"

// Entry points that headers show under another name, or not yet.
extern "C" {
CUresult cuMemcpyBatchAsync_ptsz(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes, size_t count,
                                 CUmemcpyAttributes* attrs, size_t* attrsIdxs, size_t numAttrs,
                                 size_t* failIdx, CUstream hStream);
CUresult cuMemcpyBatchAsync_v2_ptsz(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes,
                                    size_t count, CUmemcpyAttributes* attrs, size_t* attrsIdxs,
                                    size_t numAttrs, CUstream hStream);
CUresult cuMemcpy3DBatchAsync_ptsz(size_t numOps, CUDA_MEMCPY3D_BATCH_OP* opList, size_t* failIdx,
                                   unsigned long long flags, CUstream hStream);
CUresult cuMemcpyWithAttributesAsync(CUdeviceptr dst, CUdeviceptr src, size_t size,
                                     CUmemcpyAttributes* attr, CUstream hStream);
CUresult cuMemcpy3DWithAttributesAsync(CUDA_MEMCPY3D_BATCH_OP* op, unsigned long long flags,
                                       CUstream hStream);
CUresult cuMemcpyHtoD_v2_ptds(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount);
CUresult cuStreamGetId_ptsz(CUstream hStream, unsigned long long* streamId);
}

namespace convoy::test {

// Without success the test fails and ends.
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

// A test that runs with the primary context of device 0, and leaves the stack as it was.
class in_primary_context : public testing::Test {
 protected:
  const primary_context primary{0};
  const pushed here{primary};
};

class driver_stream {
 public:
  explicit driver_stream(unsigned flags = CU_STREAM_NON_BLOCKING) {
    must(cuStreamCreate(&handle_, flags));
  }
  ~driver_stream() { cuStreamDestroy(handle_); }
  driver_stream(const driver_stream&) = delete;
  driver_stream& operator=(const driver_stream&) = delete;
  operator CUstream() const { return handle_; }

 private:
  CUstream handle_ = nullptr;
};

class driver_event {
 public:
  explicit driver_event(unsigned flags = CU_EVENT_DEFAULT) { must(cuEventCreate(&handle_, flags)); }
  ~driver_event() { cuEventDestroy(handle_); }
  driver_event(const driver_event&) = delete;
  driver_event& operator=(const driver_event&) = delete;
  operator CUevent() const { return handle_; }

 private:
  CUevent handle_ = nullptr;
};

// Looks at memory in a stream that no test holds up, so that it disturbs nothing.
inline bytes contents_of(CUdeviceptr start, std::size_t count) {
  bytes found(count);
  const driver_stream aside;
  must(cuMemcpyAsync(address(found.data()), start, count, aside));
  must(cuStreamSynchronize(aside));
  return found;
}

// Device memory with known contents, freed without waiting for anything.
class driver_memory {
 public:
  explicit driver_memory(const bytes& held) : size_(held.size()) {
    must(cuMemAlloc(&start_, size_));
    const driver_stream aside;
    must(cuMemcpyHtoDAsync(start_, held.data(), size_, aside));
    must(cuStreamSynchronize(aside));
  }
  ~driver_memory() { cuMemFree(start_); }
  driver_memory(const driver_memory&) = delete;
  driver_memory& operator=(const driver_memory&) = delete;
  operator CUdeviceptr() const { return start_; }

  [[nodiscard]] bytes contents() const { return contents_of(start_, size_); }

 private:
  std::size_t size_;
  CUdeviceptr start_ = 0;
};

// Pinned memory with known contents.
class driver_pinned {
 public:
  explicit driver_pinned(const bytes& held) : size_(held.size()) {
    must(cuMemHostAlloc(&start_, size_, 0));
    std::memcpy(start_, held.data(), size_);
  }
  ~driver_pinned() { cuMemFreeHost(start_); }
  driver_pinned(const driver_pinned&) = delete;
  driver_pinned& operator=(const driver_pinned&) = delete;
  operator CUdeviceptr() const { return address(start_); }

  [[nodiscard]] unsigned char* data() const { return static_cast<unsigned char*>(start_); }
  [[nodiscard]] bytes contents() const { return {data(), data() + size_}; }

 private:
  std::size_t size_;
  void* start_ = nullptr;
};

class driver_gate : public stream_gate {
 public:
  explicit driver_gate(CUstream held) { must(cuLaunchHostFunc(held, run, argument())); }
};

// A batch in the arrays that the calls take, with one attribute run unless told otherwise.
struct driver_batch {
  std::vector<CUdeviceptr> dsts;
  std::vector<CUdeviceptr> srcs;
  std::vector<std::size_t> sizes;
  std::vector<CUmemcpyAttributes> attributes;
  std::vector<std::size_t> firsts;

  explicit driver_batch(CUmemcpySrcAccessOrder order = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM) {
    add_run(0, order);
  }

  void add(CUdeviceptr dst, CUdeviceptr src, std::size_t size) {
    dsts.push_back(dst);
    srcs.push_back(src);
    sizes.push_back(size);
  }

  void add_run(std::size_t first, CUmemcpySrcAccessOrder order) {
    CUmemcpyAttributes made = {};
    made.srcAccessOrder = order;
    attributes.push_back(made);
    firsts.push_back(first);
  }

  // Copies of `each` bytes that lie side by side on both sides.
  void add_blocks(CUdeviceptr dst, CUdeviceptr src, std::size_t each, std::size_t count) {
    for (std::size_t i = 0; i != count; ++i) add(dst + i * each, src + i * each, each);
  }

  CUresult submit(CUstream stream) {
    return cuMemcpyBatchAsync(dsts.data(), srcs.data(), sizes.data(), sizes.size(),
                              attributes.data(), firsts.data(), firsts.size(), stream);
  }
};

}  // namespace convoy::test
