// Where kernels run: small ones on the calling thread alone, large ones on one thread that has the
// only team of intra-op threads. OpenMP gives each thread that asks a team of its own, so without
// this every stream would have one.
#pragma once

#include <cstddef>
#include <functional>

namespace convoy::torch_bridge {

// Runs the function and returns when it is done; throws what it throws.
void run_in_team(std::size_t bytes, const std::function<void()>& function);

}  // namespace convoy::torch_bridge
