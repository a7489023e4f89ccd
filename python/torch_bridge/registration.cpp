#include "registration.hpp"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

#include "boxed_kernel.hpp"
#include "own_kernels.hpp"

namespace convoy::torch_bridge {
namespace {

using c10::DispatchKey;

// Kernels that allocate, view or copy, and launch nothing: torch's own are right.
constexpr std::array<std::string_view, 17> kept_operators{"aten::empty",
                                                          "aten::empty_strided",
                                                          "aten::resize_",
                                                          "aten::set_",
                                                          "aten::record_stream",
                                                          "aten::_local_scalar_dense",
                                                          "aten::is_pinned",
                                                          "aten::_pin_memory",
                                                          "aten::_efficientzerotensor",
                                                          "aten::is_set_to",
                                                          "aten::as_strided",
                                                          "aten::_reshape_alias",
                                                          "aten::_has_same_storage_numel",
                                                          "aten::_use_cudnn_ctc_loss",
                                                          "aten::_resize_output_",
                                                          "aten::_lazy_clone",
                                                          "aten::_use_miopen_ctc_loss"};

// Composite operators that would launch kernels of the GPU; the CPU kernel does all of it.
constexpr std::array<std::string_view, 3> whole_operators{
    "aten::convolution", "aten::convolution_backward", "aten::mode"};

// Operators of sparse tensors that launch nothing.
constexpr std::array<std::string_view, 26> sparse_host_operators{
    "aten::empty",
    "aten::_sparse_coo_tensor_with_dims",
    "aten::indices",
    "aten::_sparse_coo_tensor_with_dims_and_tensors",
    "aten::values",
    "aten::_indices",
    "aten::_values",
    "aten::_nnz",
    "aten::sparse_dim",
    "aten::dense_dim",
    "aten::_dimI",
    "aten::_dimV",
    "aten::is_coalesced",
    "aten::_coalesced_",
    "aten::crow_indices",
    "aten::col_indices",
    "aten::ccol_indices",
    "aten::row_indices",
    "aten::sparse_resize_",
    "aten::sparse_resize_and_clear_",
    "aten::resize_as_sparse_",
    "aten::copy_sparse_to_sparse_",
    "aten::clone",
    "aten::copy_",
    "aten::_to_copy",
    "aten::empty_like"};

constexpr std::array<DispatchKey, 4> refused_keys{
    DispatchKey::SparseCUDA, DispatchKey::SparseCsrCUDA, DispatchKey::QuantizedCUDA,
    DispatchKey::NestedTensorCUDA};

template <std::size_t Size>
bool contains(const std::array<std::string_view, Size>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool returns_view(const c10::FunctionSchema& schema) {
  return std::any_of(schema.returns().begin(), schema.returns().end(), [](const auto& each) {
    return each.alias_info() != nullptr && !each.alias_info()->isWrite();
  });
}

bool is_ours(const c10::OperatorHandle& op) {
  const auto& schema = op.schema();
  const std::string_view name = schema.name();
  if (contains(whole_operators, name)) return true;
  return op.hasKernelForDispatchKey(DispatchKey::CUDA) && !contains(kept_operators, name) &&
         !returns_view(schema);
}

bool has_namespace(const c10::OperatorName& name) {
  const auto space = name.getNamespace();
  return space && (*space == "aten" || *space == "torchvision" || *space == "quantized" ||
                   *space == "prims");
}

class quiet_warnings final : public c10::WarningHandler {
 public:
  void process(const c10::Warning&) override {}
};

// Kernels stay registered for the life of the process.
void install(const c10::OperatorHandle& op, DispatchKey key, c10::KernelFunction kernel) {
  static auto* const kept = new std::vector<c10::RegistrationHandleRAII>;
  kept->push_back(c10::Dispatcher::singleton().registerImpl(
      op.operator_name(), key, std::move(kernel), std::nullopt, nullptr, "convoy.torch"));
}

class refusal final : public c10::OperatorKernel {
 public:
  explicit refusal(const char* reason) : reason_(reason) {}
  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack*) {
    TORCH_CHECK_NOT_IMPLEMENTED(false, c10::toString(op.operator_name()),
                                " is not supported on Convoy: ", reason_, ".");
  }

 private:
  const char* reason_;
};

c10::KernelFunction refuse(const char* reason) {
  return c10::KernelFunction::makeFromBoxedFunctor(std::make_unique<refusal>(reason));
}

void refuse_other_layouts(const c10::OperatorHandle& op) {
  if (contains(sparse_host_operators, op.schema().name()) || returns_view(op.schema())) return;
  for (const auto key : refused_keys) {
    if (op.hasKernelForDispatchKey(key)) {
      install(op, key, refuse("tensors on its devices are strided"));
    }
  }
}

// The arguments of an out variant are those of the operator, then its results.
bool is_out_variant(const c10::FunctionSchema& schema, const c10::FunctionSchema& of) {
  const auto& wanted = of.arguments();
  const auto& found = schema.arguments();
  if (found.size() != wanted.size() + of.returns().size()) return false;
  if (schema.returns().size() != of.returns().size()) return false;
  for (std::size_t i = 0; i != wanted.size(); ++i) {
    if (found[i].name() != wanted[i].name() || *found[i].type() != *wanted[i].type()) return false;
    if (found[i].alias_info() != nullptr) return false;
  }
  return std::all_of(found.begin() + static_cast<std::ptrdiff_t>(wanted.size()), found.end(),
                     [](const auto& each) {
                       return each.is_out() && each.type()->kind() == c10::TypeKind::TensorType;
                     });
}

using overloads = std::multimap<std::string, c10::OperatorHandle>;

void find_out_variant(operator_plan& plan, const overloads& operators) {
  const auto& schema = plan.op.schema();
  // Structured operators alone: other out variants do not all expect an out of the right size.
  if (!plan.op.hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutogradNonFunctional) ||
      plan.fresh_results != schema.returns().size()) {
    return;
  }
  const auto [begin, end] = operators.equal_range(schema.name());
  for (auto each = begin; each != end; ++each) {
    if (each->second.hasKernelForDispatchKey(DispatchKey::CPU) &&
        is_out_variant(each->second.schema(), schema)) {
      plan.out_variant = each->second;
    }
  }
}

}  // namespace

registration_counts register_kernels() {
  quiet_warnings quiet;
  const c10::WarningUtils::WarningHandlerGuard guard(&quiet);
  auto& dispatcher = c10::Dispatcher::singleton();
  std::vector<c10::OperatorHandle> ours;
  overloads operators;
  for (const auto& name : dispatcher.getAllOpNames()) {
    const auto op = dispatcher.findSchema(name);
    if (!op || !has_namespace(name)) continue;
    operators.emplace(op->schema().name(), *op);
    refuse_other_layouts(*op);
    if (is_ours(*op) || own_kernel(*op)) ours.push_back(*op);
  }
  registration_counts counts;
  for (const auto& op : ours) {
    if (auto kernel = own_kernel(op)) {
      install(op, DispatchKey::CUDA, std::move(*kernel));
      ++counts.computed;
    } else if (op.hasComputedKernelForDispatchKey(DispatchKey::CPU)) {
      auto boxed = std::make_unique<boxed_kernel>(op);
      find_out_variant(boxed->plan(), operators);
      install(op, DispatchKey::CUDA, c10::KernelFunction::makeFromBoxedFunctor(std::move(boxed)));
      ++counts.computed;
    } else {
      install(op, DispatchKey::CUDA, refuse("PyTorch has no CPU kernel for it"));
      ++counts.refused;
    }
  }
  return counts;
}

}  // namespace convoy::torch_bridge
