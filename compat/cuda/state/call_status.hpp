// The status of a CUDA call: CUDA's code and, where the engine refused, the status it answered.
#pragma once

#include <convoy/status.hpp>

#include "state/error.hpp"

namespace convoy::cuda {

class [[nodiscard]] call_status {
 public:
  call_status(cudaError_t code) noexcept : code_(code) {}
  call_status(const status& cause) noexcept : code_(to_cuda(cause.code)), cause_(cause) {}
  template <class T>
  call_status(const result<T>& answer) noexcept {
    if (!answer) *this = call_status(answer.error());
  }

  // For an error that CUDA reports with another code than to_cuda() gives.
  call_status(cudaError_t code, const status& cause) noexcept : code_(code), cause_(cause) {}

  [[nodiscard]] bool ok() const noexcept { return code_ == cudaSuccess; }
  [[nodiscard]] cudaError_t code() const noexcept { return code_; }
  [[nodiscard]] const status& cause() const noexcept { return cause_; }

 private:
  cudaError_t code_ = cudaSuccess;
  status cause_ = {};
};

}  // namespace convoy::cuda
