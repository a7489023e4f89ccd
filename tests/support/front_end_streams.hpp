// Streams of both front ends under one numbering, and what orders one after another.
#pragma once

#include <acl/acl.h>
#include <cuda.h>
#include <cuda_runtime.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace convoy::test {

// An event of each front end, and a value for when the streams are of different ones.
struct stream_link {
  cudaEvent_t cuda = nullptr;
  aclrtEvent ascend = nullptr;
  void* value = nullptr;  // 8 bytes of device memory, 0 at first
  std::uint64_t written = 0;
};

// The first half of the streams is CUDA's. Any thread may use them. A call that fails is counted.
class front_end_streams {
 public:
  static constexpr std::size_t count = 4;

  front_end_streams() {
    for (cudaStream_t& each : cuda_) check(cudaStreamCreateWithFlags(&each, cudaStreamNonBlocking));
    for (aclrtStream& each : ascend_) check(aclrtCreateStream(&each));
  }
  ~front_end_streams() {
    for (cudaStream_t each : cuda_) cudaStreamDestroy(each);
    for (aclrtStream each : ascend_) aclrtDestroyStream(each);
  }
  front_end_streams(const front_end_streams&) = delete;
  front_end_streams& operator=(const front_end_streams&) = delete;

  void copy(std::size_t stream, void* to, const void* from, std::size_t bytes) {
    if (is_cuda(stream)) {
      check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, cuda(stream)));
    } else {
      check(aclrtMemcpyAsync(to, bytes, from, bytes, ACL_MEMCPY_DEFAULT, ascend(stream)));
    }
  }
  void fill(std::size_t stream, void* to, unsigned char value, std::size_t bytes) {
    if (is_cuda(stream)) {
      check(cudaMemsetAsync(to, value, bytes, cuda(stream)));
    } else {
      check(aclrtMemsetAsync(to, bytes, value, bytes, ascend(stream)));
    }
  }

  // Makes later steps of `to` wait for all steps of `from` until now.
  void order(stream_link& link, std::size_t from, std::size_t to) {
    if (is_cuda(from) && is_cuda(to)) {
      check(cudaEventRecord(link.cuda, cuda(from)));
      check(cudaStreamWaitEvent(cuda(to), link.cuda, 0));
    } else if (!is_cuda(from) && !is_cuda(to)) {
      check(aclrtRecordEvent(link.ascend, ascend(from)));
      check(aclrtStreamWaitEvent(ascend(to), link.ascend));
    } else {
      write(link, from);
      wait(link, to);
    }
  }

  void synchronize() {
    for (cudaStream_t each : cuda_) check(cudaStreamSynchronize(each));
    for (aclrtStream each : ascend_) check(aclrtSynchronizeStream(each));
  }

  void check(cudaError_t answer) { failures_ += answer == cudaSuccess ? 0 : 1; }
  void check(CUresult answer) { failures_ += answer == CUDA_SUCCESS ? 0 : 1; }
  void check(aclError answer) { failures_ += answer == ACL_SUCCESS ? 0 : 1; }
  [[nodiscard]] int failures() const { return failures_; }

 private:
  static bool is_cuda(std::size_t stream) { return stream < count / 2; }
  [[nodiscard]] cudaStream_t cuda(std::size_t stream) const { return cuda_[stream]; }
  [[nodiscard]] aclrtStream ascend(std::size_t stream) const { return ascend_[stream - count / 2]; }

  // The values of a link rise.
  void write(stream_link& link, std::size_t stream) {
    ++link.written;
    if (!is_cuda(stream)) {
      return check(aclrtValueWrite(link.value, link.written, 0, ascend(stream)));
    }
    const auto address = reinterpret_cast<CUdeviceptr>(link.value);
    check(cuStreamWriteValue64(cuda(stream), address, link.written, 0));
  }
  void wait(const stream_link& link, std::size_t stream) {
    if (!is_cuda(stream)) {
      return check(
          aclrtValueWait(link.value, link.written, ACL_STREAM_WAIT_VALUE_GEQ, ascend(stream)));
    }
    const auto address = reinterpret_cast<CUdeviceptr>(link.value);
    check(cuStreamWaitValue64(cuda(stream), address, link.written, CU_STREAM_WAIT_VALUE_GEQ));
  }

  std::array<cudaStream_t, count / 2> cuda_ = {};
  std::array<aclrtStream, count / 2> ascend_ = {};
  std::atomic<int> failures_ = 0;
};

}  // namespace convoy::test
