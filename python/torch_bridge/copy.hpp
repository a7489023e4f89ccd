// copy_ between any two tensors of which one is on the device.
#pragma once

#include <ATen/core/Tensor.h>

namespace convoy::torch_bridge {

// Contiguous copies of one dtype are copies of the runtime, as torch makes them; those that convert
// or rearrange elements on the device are jobs.
at::Tensor& copy(at::Tensor& self, const at::Tensor& source, bool non_blocking);

}  // namespace convoy::torch_bridge
