// What the inside of a door answers: a code of CUDA's and, where Convoy refused, its status.
#pragma once

#include <convoy/status.hpp>

#include "state/error.hpp"

namespace convoy::cuda {

class [[nodiscard]] outcome {
 public:
  outcome(cudaError_t code) noexcept : code_(code) {}
  outcome(const status& why) noexcept : code_(to_cuda(why.code)), why_(why) {}
  template <class T>
  outcome(const result<T>& answer) noexcept {
    if (!answer) *this = outcome(answer.error());
  }

  // A refusal that CUDA calls by another code than Convoy's map does.
  outcome(cudaError_t code, const status& why) noexcept : code_(code), why_(why) {}

  [[nodiscard]] bool ok() const noexcept { return code_ == cudaSuccess; }
  [[nodiscard]] cudaError_t code() const noexcept { return code_; }
  [[nodiscard]] const status& why() const noexcept { return why_; }

 private:
  cudaError_t code_ = cudaSuccess;
  status why_ = {};
};

}  // namespace convoy::cuda
