// Runs a CPU kernel in stream order, on aliases of device memory.
#pragma once

#include <vector>

#include "recorded_call.hpp"

namespace convoy::torch_bridge {

struct result_records {
  bool is_list = false;
  std::vector<std::optional<tensor_record>> tensors;  // none for an undefined tensor
};

// Queues the call on the current stream of its device.
void queue(recorded_call call, std::vector<result_records> results);

// Runs the CPU kernel on this thread; the caller has synchronised the stream. `arguments` receives
// the kernel's arguments as it left them.
torch::jit::Stack run_now(const recorded_call& call, torch::jit::Stack& arguments);

// The first failure of a job in this process, or an empty string.
std::string first_failure();

}  // namespace convoy::torch_bridge
