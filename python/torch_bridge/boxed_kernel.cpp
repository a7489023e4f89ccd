#include "boxed_kernel.hpp"

#include <ATen/EmptyTensor.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/empty_strided.h>
#include <c10/core/InferenceMode.h>

#include <atomic>

#include "cuda_runtime.hpp"
#include "job.hpp"
#include "prediction.hpp"

namespace convoy::torch_bridge {
namespace {

at::Tensor allocate(const tensor_layout& layout, c10::Device device) {
  if (!layout.defined) return {};
  return at::empty_strided(layout.sizes, layout.strides,
                           c10::TensorOptions().dtype(layout.dtype).device(device));
}

c10::IValue allocate(const result_layout& layout, c10::Device device) {
  if (!layout.is_list) return allocate(layout.tensors[0], device);
  c10::List<at::Tensor> list;
  for (const auto& each : layout.tensors) list.push_back(allocate(each, device));
  return list;
}

std::optional<tensor_record> record(const at::Tensor& tensor) {
  if (!tensor.defined()) return std::nullopt;
  return tensor_record(tensor);
}

result_records record(const c10::IValue& result) {
  result_records records;
  if (result.isTensor()) {
    records.tensors.push_back(record(result.toTensor()));
  } else {
    records.is_list = true;
    for (const auto& each : result.toListRef()) records.tensors.push_back(record(each.toTensor()));
  }
  return records;
}

// Replaces the arguments by the results: those that alias an argument, and the fresh ones.
void return_results(const operator_plan& plan, torch::jit::Stack& stack,
                    std::vector<c10::IValue> fresh) {
  const std::size_t count = plan.arguments.size();
  std::vector<c10::IValue> results;
  auto next = fresh.begin();
  for (const auto& aliased : plan.aliased_argument) {
    results.push_back(aliased ? torch::jit::peek(stack, *aliased, count) : std::move(*next++));
  }
  torch::jit::drop(stack, count);
  for (auto& each : results) stack.push_back(std::move(each));
}

bool fits_strides(const at::Tensor& tensor, c10::IntArrayRef strides) {
  return at::detail::computeStorageNbytes(tensor.sizes(), strides, tensor.element_size(),
                                          tensor.storage_offset()) <= tensor.storage().nbytes();
}

// Gives a written argument the sizes it got on the meta device or the CPU.
bool resize_as(const at::Tensor& argument, const at::Tensor& wanted) {
  if (!argument.defined() || argument.sizes() == wanted.sizes()) return false;
  argument.resize_(wanted.sizes());
  if (argument.strides() != wanted.strides() && fits_strides(argument, wanted.strides())) {
    argument.unsafeGetTensorImpl()->set_sizes_and_strides(wanted.sizes(), wanted.strides());
  }
  return true;
}

bool resize_written(const operator_plan& plan, const torch::jit::Stack& stack,
                    const torch::jit::Stack& wanted) {
  bool resized = false;
  const auto arguments = torch::jit::last(stack, plan.arguments.size());
  for (std::size_t i = 0; i != arguments.size(); ++i) {
    if (!plan.arguments[i].written || arguments[i].isNone()) continue;
    if (arguments[i].isTensor()) {
      resized |= resize_as(arguments[i].toTensor(), wanted[i].toTensor());
      continue;
    }
    const auto tensors = arguments[i].toListRef();
    for (std::size_t k = 0; k != tensors.size(); ++k) {
      resized |= resize_as(tensors[k].toTensor(), wanted[i].toListRef()[k].toTensor());
    }
  }
  return resized;
}

// A CPU tensor that the kernel returned, on the device.
at::Tensor to_device(const operator_plan& plan, const at::Tensor& result, c10::Device device) {
  if (!result.defined()) return {};
  TORCH_CHECK_NOT_IMPLEMENTED(result.layout() == c10::kStrided, plan.name,
                              " is not supported on Convoy: its result is not a strided tensor.");
  const auto made =
      at::empty_strided(result.sizes(), result.strides(), result.options().device(device));
  const c10::InferenceMode mode;
  tensor_record(made).cpu_alias().copy_(result);
  return made;
}

c10::IValue to_device(const operator_plan& plan, const c10::IValue& result, c10::Device device) {
  if (result.isTensor()) return to_device(plan, result.toTensor(), device);
  if (!result.isTensorList()) return result;
  c10::List<at::Tensor> list;
  for (const auto& each : result.toListRef()) {
    list.push_back(to_device(plan, each.toTensor(), device));
  }
  return list;
}

// Written arguments that the CPU kernel resized have their elements in memory of its own.
void copy_resized(const operator_plan& plan, const torch::jit::Stack& stack,
                  const torch::jit::Stack& computed) {
  const auto arguments = torch::jit::last(stack, plan.arguments.size());
  for (std::size_t i = 0; i != arguments.size(); ++i) {
    if (!plan.arguments[i].written || !arguments[i].isTensor()) continue;
    const auto& argument = arguments[i].toTensor();
    const auto& result = computed[i].toTensor();
    if (!argument.is_cuda()) continue;
    if (!resize_as(argument, result) && tensor_record(argument).holds(result)) continue;
    const c10::InferenceMode mode;
    tensor_record(argument).cpu_alias().copy_(result.clone());
  }
}

std::atomic<std::uint64_t> synchronous_count = 0;

void call_synchronously(recorded_call& call, torch::jit::Stack& stack) {
  const auto& plan = call.plan();
  ++synchronous_count;
  synchronize(current_stream(call.device()));
  call.reserve_random_numbers();
  torch::jit::Stack arguments;
  auto results = run_now(call, arguments);
  copy_resized(plan, stack, arguments);
  std::vector<c10::IValue> fresh;
  for (std::size_t i = 0; i != results.size(); ++i) {
    if (!plan.aliased_argument[i]) fresh.push_back(to_device(plan, results[i], call.device()));
  }
  return_results(plan, stack, std::move(fresh));
}

void call_on_stream(operator_plan& plan, torch::jit::Stack& stack) {
  const at::AutoDispatchBelowADInplaceOrView below_autograd;
  recorded_call call(plan, stack);
  if (plan.synchronous) return call_synchronously(call, stack);
  const std::string signature = call.signature();
  auto layout = plan.layouts.find(signature);
  if (layout == nullptr) {
    torch::jit::Stack arguments;
    layout = std::make_shared<call_layout>(predict(call, arguments));
    if (layout->predictable && resize_written(plan, stack, arguments)) {
      call = recorded_call(plan, stack);
    } else {
      plan.layouts.add(signature, layout);
    }
  }
  if (!layout->predictable) return call_synchronously(call, stack);
  std::vector<c10::IValue> fresh;
  std::vector<result_records> records;
  for (const auto& each : layout->results) {
    fresh.push_back(allocate(each, call.device()));
    records.push_back(record(fresh.back()));
  }
  call.reserve_random_numbers();
  queue(std::move(call), std::move(records));
  return_results(plan, stack, std::move(fresh));
}

}  // namespace

std::uint64_t synchronous_calls() { return synchronous_count; }

void boxed_kernel::operator()(const c10::OperatorHandle&, c10::DispatchKeySet,
                              torch::jit::Stack* stack) {
  call_on_stream(plan_, *stack);
}

}  // namespace convoy::torch_bridge
