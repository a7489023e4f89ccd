// Which tensors a call will return.
#pragma once

#include "recorded_call.hpp"

namespace convoy::torch_bridge {

// Runs the operator on the meta device, or, if its results lie otherwise on the CPU, on tensors
// made for it. Answers an unpredictable layout where that fails: the CPU kernel then says what is
// wrong, or what the results are. `arguments` receives the meta tensors of the arguments as the
// operator left them: those of `out=` may have been resized.
call_layout predict(const recorded_call& call, torch::jit::Stack& arguments);

// The layouts of the tensors that a kernel returned, without those that alias arguments.
call_layout layout_of(const operator_plan& plan, const torch::jit::Stack& results);

}  // namespace convoy::torch_bridge
