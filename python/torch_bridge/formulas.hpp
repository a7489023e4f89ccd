// Operators that have a CUDA kernel only, or whose CPU kernel would draw from the CPU's generator.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <optional>
#include <tuple>

namespace convoy::torch_bridge {

using optional_tensor = std::optional<at::Tensor>;

std::int64_t choose_math_attention(const at::Tensor& query, const at::Tensor& key,
                                   const at::Tensor& value, const optional_tensor& mask,
                                   double dropout, bool causal, std::optional<double> scale,
                                   bool enable_gqa);

std::tuple<at::Tensor, at::Tensor> dropout(const at::Tensor& input, double p,
                                           std::optional<bool> train);

// hidden, cell, workspace
std::tuple<at::Tensor, at::Tensor, at::Tensor> lstm_cell(const at::Tensor& input_gates,
                                                         const at::Tensor& hidden_gates,
                                                         const at::Tensor& cell,
                                                         const optional_tensor& input_bias,
                                                         const optional_tensor& hidden_bias);

// gradients of the gates, the cell and the bias
std::tuple<at::Tensor, at::Tensor, at::Tensor> lstm_cell_backward(
    const optional_tensor& hidden_gradient, const optional_tensor& cell_gradient,
    const at::Tensor& cell, const at::Tensor& next_cell, const at::Tensor& workspace,
    bool has_bias);

// hidden, workspace
std::tuple<at::Tensor, at::Tensor> gru_cell(const at::Tensor& input_gates,
                                            const at::Tensor& hidden_gates,
                                            const at::Tensor& hidden,
                                            const optional_tensor& input_bias,
                                            const optional_tensor& hidden_bias);

// gradients of the input gates, the hidden gates, the hidden state and the two biases
std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor> gru_cell_backward(
    const at::Tensor& gradient, const at::Tensor& workspace, bool has_bias);

// gradients of the input and the weight, each if asked for
std::tuple<at::Tensor, at::Tensor> rms_norm_backward(const at::Tensor& gradient,
                                                     const at::Tensor& input,
                                                     c10::IntArrayRef normalized_shape,
                                                     const at::Tensor& reciprocal_deviation,
                                                     const optional_tensor& weight,
                                                     std::array<bool, 2> wanted);

}  // namespace convoy::torch_bridge
