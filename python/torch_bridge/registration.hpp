// Registers the bridge's kernels with torch's dispatcher.
#pragma once

#include <string>

namespace convoy::torch_bridge {

struct registration_counts {
  std::size_t computed = 0;  // operators that run their CPU kernel
  std::size_t refused = 0;   // operators that have none: their call raises an error that names them
};

// Replaces CUDA kernels by ones that compute on the CPU. Once in a process; never undone.
registration_counts register_kernels();

}  // namespace convoy::torch_bridge
