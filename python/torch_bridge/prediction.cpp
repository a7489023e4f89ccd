#include "prediction.hpp"

#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/InferenceMode.h>

namespace convoy::torch_bridge {
namespace {

tensor_layout layout_of(const at::Tensor& tensor) {
  if (!tensor.defined()) return {};
  return {true, tensor.scalar_type(), tensor.sizes().vec(), tensor.strides().vec()};
}

result_layout layout_of(const c10::IValue& value) {
  result_layout result;
  if (value.isList()) {
    result.is_list = true;
    for (const auto& each : value.toListRef()) result.tensors.push_back(layout_of(each.toTensor()));
  } else {
    result.tensors.push_back(value.isNone() ? tensor_layout{} : layout_of(value.toTensor()));
  }
  return result;
}

}  // namespace

call_layout layout_of(const operator_plan& plan, const torch::jit::Stack& results) {
  call_layout layout;
  for (std::size_t i = 0; i != results.size(); ++i) {
    if (!plan.aliased_argument[i]) layout.results.push_back(layout_of(results[i]));
  }
  return layout;
}

call_layout predict(const recorded_call& call, torch::jit::Stack& arguments) {
  call_layout unpredictable;
  unpredictable.predictable = false;
  if (call.plan().synchronous) return unpredictable;
  const at::AutoDispatchBelowADInplaceOrView guard;
  const c10::InferenceMode mode(call.plan().differs_from_meta);
  arguments = call.plan().differs_from_meta ? call.sample_arguments() : call.meta_arguments();
  auto stack = arguments;
  try {
    call.plan().op.callBoxed(&stack);
    return layout_of(call.plan(), stack);
  } catch (const std::exception&) {
    return unpredictable;
  }
}

}  // namespace convoy::torch_bridge
