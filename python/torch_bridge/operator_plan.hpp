// What the bridge needs to know of an operator, read from its schema once.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "layout_cache.hpp"

namespace convoy::torch_bridge {

enum class argument_kind : std::uint8_t {
  value,
  tensor,
  tensor_list,
  optional_tensor_list,
  generator,
  device,
};

struct argument_plan {
  argument_kind kind = argument_kind::value;
  bool written = false;
};

struct operator_plan {
  explicit operator_plan(const c10::OperatorHandle& op);

  c10::OperatorHandle op;
  std::string name;
  std::vector<argument_plan> arguments;
  std::vector<std::optional<std::size_t>>
      aliased_argument;                            // of each result, for in-place and out=
  std::optional<c10::OperatorHandle> out_variant;  // writes its results where it is told to
  std::size_t fresh_results = 0;
  bool synchronous = false;         // its results cannot be predicted, or are values
  bool differs_from_meta = false;   // the CPU kernel's results have other sizes
  bool mixes_devices = false;       // takes CPU tensors with dimensions beside CUDA tensors
  bool reads_float_values = false;  // a floating-point argument can change the layout
  layout_cache layouts;
};

}  // namespace convoy::torch_bridge
