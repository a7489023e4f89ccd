// Kernels of the bridge's own: copies, and operators that have no usable CPU kernel, as formulas
// over operators that have one.
#pragma once

#include <ATen/core/boxing/KernelFunction.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <optional>

namespace convoy::torch_bridge {

std::optional<c10::KernelFunction> own_kernel(const c10::OperatorHandle& op);

}  // namespace convoy::torch_bridge
