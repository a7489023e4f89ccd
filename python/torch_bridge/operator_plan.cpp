#include "operator_plan.hpp"

#include <ATen/core/enum_tag.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace convoy::torch_bridge {
namespace {

bool is_tensor(const c10::Type& type) {
  if (type.kind() == c10::TypeKind::TensorType) return true;
  const auto* const optional = type.castRaw<c10::OptionalType>();
  return optional != nullptr && optional->getElementType()->kind() == c10::TypeKind::TensorType;
}

bool is_kind(const c10::Type& type, c10::TypeKind kind) {
  if (type.kind() == kind) return true;
  const auto* const optional = type.castRaw<c10::OptionalType>();
  return optional != nullptr && optional->getElementType()->kind() == kind;
}

argument_kind kind_of(const c10::Type& type) {
  if (is_tensor(type)) return argument_kind::tensor;
  const auto* list = type.castRaw<c10::ListType>();
  if (const auto* const optional = type.castRaw<c10::OptionalType>()) {
    list = optional->getElementType()->castRaw<c10::ListType>();
  }
  if (list != nullptr && is_tensor(*list->getElementType())) {
    return list->getElementType()->kind() == c10::TypeKind::TensorType
               ? argument_kind::tensor_list
               : argument_kind::optional_tensor_list;
  }
  // A device is DeviceObjType, a generator GeneratorType.
  if (is_kind(type, c10::TypeKind::DeviceObjType)) return argument_kind::device;
  if (is_kind(type, c10::TypeKind::GeneratorType)) return argument_kind::generator;
  return argument_kind::value;
}

bool is_written(const c10::Argument& argument) {
  return argument.alias_info() != nullptr && argument.alias_info()->isWrite();
}

bool has_value_result(const c10::FunctionSchema& schema) {
  return std::any_of(schema.returns().begin(), schema.returns().end(), [](const auto& each) {
    const auto kind = kind_of(*each.type());
    return kind != argument_kind::tensor && kind != argument_kind::tensor_list;
  });
}

std::vector<std::optional<std::size_t>> aliased_arguments(const c10::FunctionSchema& schema) {
  std::vector<std::optional<std::size_t>> found;
  for (const auto& result : schema.returns()) {
    found.emplace_back();
    if (!is_written(result)) continue;
    for (std::size_t i = 0; i != schema.arguments().size(); ++i) {
      const auto& argument = schema.arguments()[i];
      if (is_written(argument) &&
          argument.alias_info()->beforeSets() == result.alias_info()->beforeSets()) {
        found.back() = i;
      }
    }
  }
  return found;
}

template <std::size_t Size>
bool is_one_of(std::string_view name, const std::array<std::string_view, Size>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Index tensors may be on the CPU; a CPU tensor among the others is an error.
constexpr std::array<std::string_view, 7> mixed_device_operators{
    "aten::index",     "aten::index_put_",        "aten::_index_put_impl_", "aten::_unsafe_index",
    "aten::index_put", "aten::_unsafe_index_put", "aten::_fused_dropout"};

constexpr std::array<std::string_view, 7> cpu_layout_operators{"aten::native_layer_norm",
                                                               "aten::native_batch_norm",
                                                               "aten::_native_batch_norm_legit",
                                                               "aten::_batch_norm_with_update",
                                                               "aten::_embedding_bag",
                                                               "aten::_embedding_bag_forward_only",
                                                               "aten::native_batch_norm_backward"};

constexpr std::array<std::string_view, 5> float_layout_operators{
    "aten::arange", "aten::range", "aten::linspace", "aten::logspace", "aten::histc"};

}  // namespace

operator_plan::operator_plan(const c10::OperatorHandle& handle)
    : op(handle), name(c10::toString(handle.operator_name())) {
  const auto& schema = op.schema();
  for (const auto& argument : schema.arguments()) {
    arguments.push_back({kind_of(*argument.type()), is_written(argument)});
  }
  aliased_argument = aliased_arguments(schema);
  fresh_results = static_cast<std::size_t>(
      std::count(aliased_argument.begin(), aliased_argument.end(), std::nullopt));
  mixes_devices = is_one_of(schema.name(), mixed_device_operators);
  // Indexing is dynamic for masks alone, which the meta kernel refuses.
  const bool dynamic = (op.hasTag(at::Tag::dynamic_output_shape) && !mixes_devices) ||
                       op.hasTag(at::Tag::data_dependent_output);
  synchronous = dynamic || has_value_result(schema) ||
                !op.hasComputedKernelForDispatchKey(c10::DispatchKey::Meta);
  differs_from_meta = is_one_of(schema.name(), cpu_layout_operators);
  reads_float_values = is_one_of(schema.name(), float_layout_operators);
}

}  // namespace convoy::torch_bridge
