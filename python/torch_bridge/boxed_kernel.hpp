// The kernel that is registered for the CUDA key of an operator: queues the CPU kernel.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include "operator_plan.hpp"

namespace convoy::torch_bridge {

class boxed_kernel final : public c10::OperatorKernel {
 public:
  explicit boxed_kernel(const c10::OperatorHandle& op) : plan_(op) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                  torch::jit::Stack* stack);

  operator_plan& plan() { return plan_; }

 private:
  operator_plan plan_;
};

// How many calls in this process waited for their stream, to learn their results' sizes or values.
std::uint64_t synchronous_calls();

}  // namespace convoy::torch_bridge
