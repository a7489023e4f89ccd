#include "own_kernels.hpp"

#include <map>
#include <string>

#include "copy.hpp"
#include "formulas.hpp"

namespace convoy::torch_bridge {
namespace {

using c10::KernelFunction;

std::map<std::string, KernelFunction> make_table() {
  std::map<std::string, KernelFunction> table;
  table["aten::copy_"] = KernelFunction::makeFromUnboxedFunction(TORCH_FN(copy));
  table["aten::_fused_sdp_choice"] =
      KernelFunction::makeFromUnboxedFunction(TORCH_FN(choose_math_attention));
  table["aten::native_dropout"] = KernelFunction::makeFromUnboxedFunction(TORCH_FN(dropout));
  table["aten::_thnn_fused_lstm_cell"] =
      KernelFunction::makeFromUnboxedFunction(TORCH_FN(lstm_cell));
  table["aten::_thnn_fused_lstm_cell_backward_impl"] =
      KernelFunction::makeFromUnboxedFunction(TORCH_FN(lstm_cell_backward));
  table["aten::_thnn_fused_gru_cell"] = KernelFunction::makeFromUnboxedFunction(TORCH_FN(gru_cell));
  table["aten::_thnn_fused_gru_cell_backward"] =
      KernelFunction::makeFromUnboxedFunction(TORCH_FN(gru_cell_backward));
  table["aten::_fused_rms_norm_backward"] =
      KernelFunction::makeFromUnboxedFunction(TORCH_FN(rms_norm_backward));
  return table;
}

}  // namespace

std::optional<KernelFunction> own_kernel(const c10::OperatorHandle& op) {
  static const auto* const table = new std::map<std::string, KernelFunction>(make_table());
  const auto found = table->find(c10::toString(op.operator_name()));
  if (found == table->end()) return std::nullopt;
  return found->second;
}

}  // namespace convoy::torch_bridge
