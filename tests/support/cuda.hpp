// The CUDA runtime in tests. Works with Convoy's headers and with NVIDIA's alike.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/byte_pattern.hpp"
#include "support/stream_gate.hpp"

// Entry points that headers show under another name, or not yet.
extern "C" {
cudaError_t cudaMemcpyBatchAsync_ptsz(void* const* dsts, const void* const* srcs,
                                      const size_t* sizes, size_t count,
                                      cudaMemcpyAttributes* attrs, size_t* attrsIdxs,
                                      size_t numAttrs, cudaStream_t stream);
cudaError_t cudaMemcpyAsync_ptsz(void* dst, const void* src, size_t count, cudaMemcpyKind kind,
                                 cudaStream_t stream);
cudaError_t cudaMemcpy_ptds(void* dst, const void* src, size_t count, cudaMemcpyKind kind);
cudaError_t cudaStreamQuery_ptsz(cudaStream_t stream);
cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t stream);
cudaError_t cudaStreamGetId_ptsz(cudaStream_t stream, unsigned long long* id);
cudaError_t cudaLaunchHostFunc_ptsz(cudaStream_t stream, cudaHostFn_t fn, void* userData);
cudaError_t cudaMemcpyWithAttributesAsync(void* dst, const void* src, size_t size,
                                          cudaMemcpyAttributes* attr, cudaStream_t stream);
cudaError_t cudaMemcpy3DWithAttributesAsync(cudaMemcpy3DBatchOp* op, unsigned long long flags,
                                            cudaStream_t stream);
}

namespace convoy::test {

using bytes = std::vector<unsigned char>;

inline bytes numbered(std::size_t count, unsigned seed = 0) {
  return byte_pattern<unsigned char>(count, seed);
}

// Without success the test fails and ends.
inline void must(cudaError_t answer) {
  if (answer != cudaSuccess) throw std::runtime_error(cudaGetErrorName(answer));
}

class cuda_stream {
 public:
  explicit cuda_stream(unsigned flags = cudaStreamDefault) {
    must(cudaStreamCreateWithFlags(&handle_, flags));
  }
  ~cuda_stream() { cudaStreamDestroy(handle_); }
  cuda_stream(const cuda_stream&) = delete;
  cuda_stream& operator=(const cuda_stream&) = delete;
  operator cudaStream_t() const { return handle_; }

 private:
  cudaStream_t handle_ = nullptr;
};

class cuda_event {
 public:
  explicit cuda_event(unsigned flags = cudaEventDefault) {
    must(cudaEventCreateWithFlags(&handle_, flags));
  }
  ~cuda_event() { cudaEventDestroy(handle_); }
  cuda_event(const cuda_event&) = delete;
  cuda_event& operator=(const cuda_event&) = delete;
  operator cudaEvent_t() const { return handle_; }

 private:
  cudaEvent_t handle_ = nullptr;
};

// Does something with another device as the current one.
template <class Body>
void on_device(int device, const Body& body) {
  int before = 0;
  must(cudaGetDevice(&before));
  must(cudaSetDevice(device));
  body();
  must(cudaSetDevice(before));
}

// Looks at memory in a stream that no test holds up, so that it disturbs nothing.
inline bytes contents_of(const void* start, std::size_t count) {
  bytes found(count);
  const cuda_stream aside(cudaStreamNonBlocking);
  must(cudaMemcpyAsync(found.data(), start, count, cudaMemcpyDefault, aside));
  must(cudaStreamSynchronize(aside));
  return found;
}

inline void put(void* start, const bytes& what) {
  const cuda_stream aside(cudaStreamNonBlocking);
  must(cudaMemcpyAsync(start, what.data(), what.size(), cudaMemcpyDefault, aside));
  must(cudaStreamSynchronize(aside));
}

enum class kept_in { device, pinned, managed, pageable };

// Memory of one sort, with known contents, freed without waiting for anything.
class cuda_memory {
 public:
  cuda_memory(kept_in where, const bytes& held) : where_(where), size_(held.size()) {
    switch (where) {
      case kept_in::device: must(cudaMalloc(&start_, size_)); break;
      case kept_in::pinned: must(cudaHostAlloc(&start_, size_, 0)); break;
      case kept_in::managed: must(cudaMallocManaged(&start_, size_, cudaMemAttachGlobal)); break;
      case kept_in::pageable:
        own_.resize(size_);
        start_ = own_.data();
        break;
    }
    put(start_, held);
  }
  ~cuda_memory() {
    if (where_ == kept_in::pinned) cudaFreeHost(start_);
    if (where_ == kept_in::device || where_ == kept_in::managed) cudaFree(start_);
  }
  cuda_memory(const cuda_memory&) = delete;
  cuda_memory& operator=(const cuda_memory&) = delete;

  [[nodiscard]] unsigned char* data() const { return static_cast<unsigned char*>(start_); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bytes contents() const { return contents_of(start_, size_); }

 private:
  kept_in where_;
  std::size_t size_;
  bytes own_;
  void* start_ = nullptr;
};

class cuda_gate : public stream_gate {
 public:
  explicit cuda_gate(cudaStream_t held) { must(cudaLaunchHostFunc(held, run, argument())); }
};

// A batch in the arrays that the calls take, with one attribute run unless told otherwise.
struct cuda_batch {
  std::vector<void*> dsts;
  std::vector<const void*> srcs;
  std::vector<std::size_t> sizes;
  std::vector<cudaMemcpyAttributes> attributes;
  std::vector<std::size_t> firsts;

  explicit cuda_batch(cudaMemcpySrcAccessOrder order = cudaMemcpySrcAccessOrderStream) {
    add_run(0, order);
  }

  void add(void* dst, const void* src, std::size_t size) {
    dsts.push_back(dst);
    srcs.push_back(src);
    sizes.push_back(size);
  }

  void add_run(std::size_t first, cudaMemcpySrcAccessOrder order) {
    cudaMemcpyAttributes made = {};
    made.srcAccessOrder = order;
    attributes.push_back(made);
    firsts.push_back(first);
  }

  // Copies of `each` bytes that lie side by side on both sides.
  void add_blocks(unsigned char* dst, const unsigned char* src, std::size_t each,
                  std::size_t count) {
    for (std::size_t i = 0; i != count; ++i) add(dst + i * each, src + i * each, each);
  }

  cudaError_t submit(cudaStream_t stream) {
    return cudaMemcpyBatchAsync(dsts.data(), srcs.data(), sizes.data(), sizes.size(),
                                attributes.data(), firsts.data(), firsts.size(), stream);
  }
};

}  // namespace convoy::test
