// The status of a CUDA call: CUDA's error code and the cause, which is the engine's status if the
// engine refused, or a sentence about the argument.
#pragma once

#include <convoy/status.hpp>

#include "state/error.hpp"

namespace convoy::cuda {

class [[nodiscard]] call_status {
 public:
  call_status(cudaError_t code) noexcept : code_(code) {}
  call_status(const status& cause) noexcept : code_(to_cuda(cause.code)), cause_(cause) {}
  template <class T>
  call_status(const result<T>& from) noexcept {
    if (!from) *this = call_status(from.error());
  }

  // For an error that CUDA reports with a code other than to_cuda(cause.code).
  call_status(cudaError_t code, const status& cause) noexcept : code_(code), cause_(cause) {}

  // `reason` is a literal: the argument and what it must be.
  call_status(cudaError_t code, const char* reason) noexcept : code_(code), reason_(reason) {}

  [[nodiscard]] bool ok() const noexcept { return code_ == cudaSuccess; }
  [[nodiscard]] cudaError_t code() const noexcept { return code_; }
  [[nodiscard]] const status& cause() const noexcept { return cause_; }
  [[nodiscard]] const char* reason() const noexcept { return reason_; }  // null for none

 private:
  cudaError_t code_ = cudaSuccess;
  status cause_ = {};
  const char* reason_ = nullptr;
};

}  // namespace convoy::cuda
