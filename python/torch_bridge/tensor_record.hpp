// What a job knows of a tensor: where its elements are and how they lie, never the tensor itself.
// The memory belongs to torch, which frees and reuses it as it does on a GPU.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/util/SmallVector.h>

#include <cstdint>

namespace convoy::torch_bridge {

struct tensor_record {
  explicit tensor_record(const at::Tensor& tensor);

  // A tensor on the CPU, in the memory of the recorded one, or on the meta device.
  [[nodiscard]] at::Tensor cpu_alias() const;
  [[nodiscard]] at::Tensor meta() const;

  // False if a kernel has given its alias other memory or strides: it may resize what it writes.
  [[nodiscard]] bool holds(const at::Tensor& alias) const;

  [[nodiscard]] bool lies_as(const at::Tensor& tensor) const {
    return tensor.sizes() == sizes && tensor.scalar_type() == dtype;
  }

  void* data = nullptr;
  std::size_t bytes = 0;  // from `data` to the end of the storage
  at::ScalarType dtype;
  bool conj = false;
  bool negative = false;
  bool wrapped_number = false;
  bool zero = false;
  c10::SmallVector<std::int64_t, 5> sizes;
  c10::SmallVector<std::int64_t, 5> strides;
};

}  // namespace convoy::torch_bridge
