#include "recorded_call.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/core/Generator.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/fill.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>

namespace convoy::torch_bridge {
namespace {

c10::Device current_device() {
  return c10::impl::VirtualGuardImpl(c10::DeviceType::CUDA).getDevice();
}

template <class Value>
void append(std::string& to, const Value& value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_shape(std::string& to, c10::IntArrayRef values) {
  append(to, static_cast<std::uint8_t>(values.size()));
  to.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(std::int64_t));
}

void append_tensor(std::string& to, const tensor_record& record) {
  append(to, static_cast<std::uint8_t>(record.dtype));
  append(to, static_cast<std::uint8_t>(record.conj | record.negative << 1 |
                                       record.wrapped_number << 2 | record.zero << 3));
  append_shape(to, record.sizes);
  append_shape(to, record.strides);
}

void append_value(std::string& to, const c10::IValue& value, bool with_float_values) {
  if (value.isInt()) {
    to += 'i';
    append(to, value.toInt());
  } else if (value.isDouble()) {
    to += 'd';
    if (with_float_values) append(to, value.toDouble());
  } else if (value.isBool()) {
    to += value.toBool() ? 't' : 'f';
  } else if (value.isNone()) {
    to += 'n';
  } else if (value.isString()) {
    to += 's';
    to += value.toStringRef();
    to += '\0';
  } else if (value.isComplexDouble()) {
    to += 'c';
  } else if (value.isList()) {
    to += '[';
    for (const auto& each : value.toListRef()) append_value(to, each, true);
    to += ']';
  } else {
    to += '?';
    to += value.tagKind();
  }
}

// mt19937 takes 32 bits of seed; splitmix64's finalizer spreads seed and offset over them.
std::uint64_t cpu_seed(const random_range& range) {
  std::uint64_t z = range.seed + 0x9e3779b97f4a7c15U * (range.offset + 1);
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return (z ^ (z >> 31U)) >> 32U;
}

}  // namespace

recorded_call::recorded_call(const operator_plan& plan, const torch::jit::Stack& stack)
    : plan_(&plan) {
  const std::size_t count = plan.arguments.size();
  const auto arguments = torch::jit::last(stack, count);
  slots_.resize(count);
  values_.resize(count);
  records_.reserve(4);
  for (std::size_t i = 0; i != count; ++i) {
    const auto& value = arguments[i];
    switch (plan.arguments[i].kind) {
      case argument_kind::tensor:
        if (value.isNone())
          slots_[i].none = true;
        else
          add(value.toTensor(), i);
        break;
      case argument_kind::tensor_list:
      case argument_kind::optional_tensor_list:
        if (value.isNone()) {
          slots_[i].none = true;
          break;
        }
        for (const auto& each : value.toListRef()) {
          if (each.isNone())
            slots_[i].tensors.push_back({-1, -1, true});
          else
            add(each.toTensor(), i);
        }
        break;
      case argument_kind::device:
        values_[i] = value;
        if (!value.isNone() && value.toDevice().is_cuda()) {
          const auto device = value.toDevice();
          take_device(device.has_index() ? device : current_device());
        }
        break;
      default: values_[i] = value;
    }
  }
  if (!device_.is_cuda()) device_ = current_device();
}

void recorded_call::take_device(c10::Device device) {
  if (!device_.is_cuda()) device_ = device;
  TORCH_CHECK(device_ == device, plan_->op.schema().name(),
              ": Expected all tensors to be on the same device, but found at least two devices, ",
              device_, " and ", device, "!");
}

// A CPU tensor is copied at the call: a number, or indices. One that is written would keep its
// elements.
bool recorded_call::may_be_on_cpu(const at::Tensor& tensor, std::size_t argument) const {
  const auto& [kind, written] = plan_->arguments[argument];
  if (!tensor.is_cpu() || written) return false;
  const bool is_index = plan_->mixes_devices && kind == argument_kind::optional_tensor_list;
  return tensor.dim() == 0 || is_index;
}

void recorded_call::add(const at::Tensor& tensor, std::size_t argument) {
  argument_slots& to = slots_[argument];
  if (!tensor.defined()) {
    to.tensors.push_back({});
    return;
  }
  if (!tensor.is_cuda()) {
    TORCH_CHECK(may_be_on_cpu(tensor, argument), plan_->op.schema().name(),
                ": Expected all tensors to be on the same device, but found at least two devices, ",
                "cuda:0 and ", tensor.device(), "!");
    cpu_tensors_.push_back(tensor.clone());
    if (tensor.unsafeGetTensorImpl()->is_wrapped_number()) {
      cpu_tensors_.back().unsafeGetTensorImpl()->set_wrapped_number(true);
    }
    to.tensors.push_back({-1, static_cast<int>(cpu_tensors_.size()) - 1, false});
    return;
  }
  take_device(tensor.device());
  const void* const identity = tensor.unsafeGetTensorImpl();
  const auto known = std::find(identities_.begin(), identities_.end(), identity);
  to.tensors.push_back({static_cast<int>(known - identities_.begin()), -1, false});
  if (known != identities_.end()) return;
  TORCH_CHECK_NOT_IMPLEMENTED(tensor.layout() == c10::kStrided, plan_->name,
                              " is not supported on Convoy for the layout ", tensor.layout());
  identities_.push_back(identity);
  records_.emplace_back(tensor);
}

std::string recorded_call::signature() const {
  std::string key;
  key.reserve(160);
  append(key, c10::get_default_dtype_as_scalartype());
  for (std::size_t i = 0; i != slots_.size(); ++i) {
    switch (plan_->arguments[i].kind) {
      case argument_kind::value: append_value(key, values_[i], plan_->reads_float_values); break;
      case argument_kind::generator: break;
      case argument_kind::device: break;
      default:
        key += slots_[i].none ? 'N' : 'T';
        append(key, static_cast<std::uint32_t>(slots_[i].tensors.size()));
        for (const auto& slot : slots_[i].tensors) {
          append(key, static_cast<std::int16_t>(slot.record));
          if (slot.record >= 0)
            append_tensor(key, records_[static_cast<std::size_t>(slot.record)]);
          else if (slot.held >= 0)
            append_tensor(key, tensor_record(cpu_tensors_[static_cast<std::size_t>(slot.held)]));
        }
    }
  }
  return key;
}

std::size_t recorded_call::bytes() const {
  std::size_t total = 0;
  for (const auto& record : records_) {
    total += c10::elementSize(record.dtype) *
             static_cast<std::size_t>(c10::multiply_integers(record.sizes));
  }
  return total;
}

std::vector<recorded_call::written_record> recorded_call::written_records() const {
  std::vector<written_record> found;
  for (std::size_t i = 0; i != slots_.size(); ++i) {
    if (!plan_->arguments[i].written) continue;
    const auto& tensors = slots_[i].tensors;
    for (std::size_t k = 0; k != tensors.size(); ++k) {
      if (tensors[k].record >= 0)
        found.push_back({i, k, static_cast<std::size_t>(tensors[k].record)});
    }
  }
  return found;
}

void recorded_call::reserve_random_numbers() {
  for (std::size_t i = 0; i != values_.size(); ++i) {
    if (plan_->arguments[i].kind != argument_kind::generator) continue;
    auto generator = values_[i].isNone() ? at::globalContext().defaultGenerator(device_)
                                         : values_[i].toGenerator();
    TORCH_CHECK(generator.device().is_cuda(),
                "Expected a 'cuda' device type for generator but found '",
                generator.device().type(), "'");
    const std::lock_guard<std::mutex> held(generator.mutex());
    random_ = random_range{generator.current_seed(), generator.get_offset()};
    generator.set_offset(random_->offset + 4);
    values_[i] = c10::IValue();
  }
}

template <class MakeAlias, class MakeHeld>
torch::jit::Stack recorded_call::arguments(const MakeAlias& alias, const MakeHeld& held,
                                           c10::DeviceType type) const {
  std::vector<at::Tensor> aliases;
  aliases.reserve(records_.size());
  for (const auto& record : records_) aliases.push_back(alias(record));
  const auto tensor_of = [&](const tensor_slot& slot) {
    if (slot.record >= 0) return aliases[static_cast<std::size_t>(slot.record)];
    return slot.held >= 0 ? held(cpu_tensors_[static_cast<std::size_t>(slot.held)]) : at::Tensor();
  };
  torch::jit::Stack stack;
  stack.reserve(slots_.size() + 2);
  for (std::size_t i = 0; i != slots_.size(); ++i) {
    const auto& slots = slots_[i];
    switch (plan_->arguments[i].kind) {
      case argument_kind::tensor:
        if (slots.none)
          stack.emplace_back();
        else
          stack.emplace_back(tensor_of(slots.tensors[0]));
        break;
      case argument_kind::tensor_list: {
        c10::List<at::Tensor> list;
        for (const auto& slot : slots.tensors) list.push_back(tensor_of(slot));
        if (slots.none)
          stack.emplace_back();
        else
          stack.emplace_back(std::move(list));
        break;
      }
      case argument_kind::optional_tensor_list: {
        c10::List<std::optional<at::Tensor>> list;
        for (const auto& slot : slots.tensors) {
          list.push_back(slot.none ? std::nullopt : std::optional(tensor_of(slot)));
        }
        if (slots.none)
          stack.emplace_back();
        else
          stack.emplace_back(std::move(list));
        break;
      }
      case argument_kind::device:
        stack.push_back(values_[i].isNone() ? c10::IValue() : c10::IValue(c10::Device(type)));
        break;
      case argument_kind::generator:
        if (type == c10::DeviceType::CPU && random_) {
          stack.emplace_back(at::Generator(at::detail::createCPUGenerator(cpu_seed(*random_))));
        } else {
          stack.emplace_back();
        }
        break;
      default: stack.push_back(values_[i]);
    }
  }
  return stack;
}

torch::jit::Stack recorded_call::cpu_arguments() const {
  return arguments([](const auto& record) { return record.cpu_alias(); },
                   [](const auto& tensor) { return tensor; }, c10::DeviceType::CPU);
}

torch::jit::Stack recorded_call::meta_arguments() const {
  // Scalars stay on the CPU: they may be numbers that Python wrapped.
  return arguments(
      [](const auto& record) { return record.meta(); },
      [](const auto& tensor) { return tensor.dim() == 0 ? tensor : tensor_record(tensor).meta(); },
      c10::DeviceType::Meta);
}

torch::jit::Stack recorded_call::sample_arguments() const {
  const auto sample = [](const tensor_record& record) {
    auto made = at::empty_strided(record.sizes, record.strides, record.dtype);
    made.fill_(c10::isFloatingType(record.dtype) || c10::isComplexType(record.dtype) ? 1 : 0);
    return made;
  };
  return arguments(
      sample, [](const auto& tensor) { return tensor; }, c10::DeviceType::CPU);
}

}  // namespace convoy::torch_bridge
