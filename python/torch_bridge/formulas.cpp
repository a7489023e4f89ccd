#include "formulas.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/zeros_like.h>

namespace convoy::torch_bridge {
namespace {

at::Tensor with_bias(const at::Tensor& gates, const optional_tensor& bias) {
  return bias && bias->defined() ? gates + *bias : gates;
}

at::Tensor sum_of_batch(const at::Tensor& gates, bool wanted) {
  return wanted ? gates.sum(0, false) : at::Tensor();
}

}  // namespace

std::int64_t choose_math_attention(const at::Tensor&, const at::Tensor&, const at::Tensor&,
                                   const optional_tensor&, double, bool, std::optional<double>,
                                   bool) {
  return 0;  // at::SDPBackend::math
}

std::tuple<at::Tensor, at::Tensor> dropout(const at::Tensor& input, double p,
                                           std::optional<bool> train) {
  const auto boolean = input.options().dtype(at::kBool);
  if ((train && !*train) || p == 0) return {input.clone(), at::ones_like(input, boolean)};
  if (p == 1) return {at::zeros_like(input), at::zeros_like(input, boolean)};
  auto mask = at::empty_like(input, boolean);
  mask.bernoulli_(1 - p);
  return {input.mul(mask).mul_(1 / (1 - p)), mask};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> lstm_cell(const at::Tensor& input_gates,
                                                         const at::Tensor& hidden_gates,
                                                         const at::Tensor& cell,
                                                         const optional_tensor& input_bias,
                                                         const optional_tensor& hidden_bias) {
  const auto gates = with_bias(input_gates, input_bias) + with_bias(hidden_gates, hidden_bias);
  const auto parts = gates.chunk(4, 1);
  const auto in = parts[0].sigmoid();
  const auto forget = parts[1].sigmoid();
  const auto candidate = parts[2].tanh();
  const auto out = parts[3].sigmoid();
  auto next_cell = forget * cell + in * candidate;
  return {out * next_cell.tanh(), next_cell, at::cat({in, forget, candidate, out}, 1)};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> lstm_cell_backward(
    const optional_tensor& hidden_gradient, const optional_tensor& cell_gradient,
    const at::Tensor& cell, const at::Tensor& next_cell, const at::Tensor& workspace,
    bool has_bias) {
  const bool has_hidden = hidden_gradient && hidden_gradient->defined();
  const bool has_cell = cell_gradient && cell_gradient->defined();
  if (!has_hidden && !has_cell) return {};
  const auto parts = workspace.chunk(4, 1);
  const auto& in = parts[0];
  const auto& forget = parts[1];
  const auto& candidate = parts[2];
  const auto& out = parts[3];
  const auto tanh_cell = next_cell.tanh();
  const auto hidden = has_hidden ? *hidden_gradient : at::zeros_like(next_cell);
  auto state = hidden * out * (1 - tanh_cell * tanh_cell);
  if (has_cell) state = state + *cell_gradient;
  const auto gates =
      at::cat({state * candidate * in * (1 - in), state * cell * forget * (1 - forget),
               state * in * (1 - candidate * candidate), hidden * tanh_cell * out * (1 - out)},
              1);
  return {gates, state * forget, sum_of_batch(gates, has_bias)};
}

std::tuple<at::Tensor, at::Tensor> gru_cell(const at::Tensor& input_gates,
                                            const at::Tensor& hidden_gates,
                                            const at::Tensor& hidden,
                                            const optional_tensor& input_bias,
                                            const optional_tensor& hidden_bias) {
  const auto from_input = with_bias(input_gates, input_bias).chunk(3, 1);
  const auto from_hidden = with_bias(hidden_gates, hidden_bias).chunk(3, 1);
  const auto reset = (from_input[0] + from_hidden[0]).sigmoid();
  const auto update = (from_input[1] + from_hidden[1]).sigmoid();
  const auto candidate = (from_input[2] + reset * from_hidden[2]).tanh();
  return {candidate + update * (hidden - candidate),
          at::cat({reset, update, candidate, hidden, from_hidden[2]}, 1)};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor> gru_cell_backward(
    const at::Tensor& gradient, const at::Tensor& workspace, bool has_bias) {
  const auto parts = workspace.chunk(5, 1);
  const auto& reset = parts[0];
  const auto& update = parts[1];
  const auto& candidate = parts[2];
  const auto& hidden = parts[3];
  const auto& from_hidden = parts[4];
  const auto to_candidate = gradient * (1 - update) * (1 - candidate * candidate);
  const auto to_reset = to_candidate * from_hidden * reset * (1 - reset);
  const auto to_update = gradient * (hidden - candidate) * update * (1 - update);
  const auto input_gates = at::cat({to_reset, to_update, to_candidate}, 1);
  const auto hidden_gates = at::cat({to_reset, to_update, to_candidate * reset}, 1);
  return {input_gates, hidden_gates, gradient * update, sum_of_batch(input_gates, has_bias),
          sum_of_batch(hidden_gates, has_bias)};
}

std::tuple<at::Tensor, at::Tensor> rms_norm_backward(const at::Tensor& gradient,
                                                     const at::Tensor& input,
                                                     c10::IntArrayRef normalized_shape,
                                                     const at::Tensor& reciprocal_deviation,
                                                     const optional_tensor& weight,
                                                     std::array<bool, 2> wanted) {
  const auto outer = input.dim() - static_cast<std::int64_t>(normalized_shape.size());
  std::vector<std::int64_t> inner_dims;
  std::vector<std::int64_t> outer_dims;
  for (std::int64_t i = 0; i != input.dim(); ++i)
    (i < outer ? outer_dims : inner_dims).push_back(i);
  const bool has_weight = weight && weight->defined();
  const auto type = reciprocal_deviation.scalar_type();
  const auto normalized = input.to(type) * reciprocal_deviation;
  const auto wide = gradient.to(type);
  at::Tensor to_input;
  at::Tensor to_weight;
  if (wanted[0]) {
    const auto weighted = has_weight ? wide * weight->to(type) : wide;
    const auto mean = (weighted * normalized).mean(inner_dims, true);
    to_input = ((weighted - normalized * mean) * reciprocal_deviation).to(input.scalar_type());
  }
  if (wanted[1] && has_weight) {
    const auto products = wide * normalized;
    to_weight =
        (outer_dims.empty() ? products : products.sum(outer_dims)).to(weight->scalar_type());
  }
  return {to_input, to_weight};
}

}  // namespace convoy::torch_bridge
