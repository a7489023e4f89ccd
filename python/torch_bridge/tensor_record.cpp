#include "tensor_record.hpp"

#include <ATen/EmptyTensor.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/TensorImpl.h>

#include "cuda_runtime.hpp"

namespace convoy::torch_bridge {
namespace {

void copy_properties(const tensor_record& from, const at::Tensor& to) {
  auto* const implementation = to.unsafeGetTensorImpl();
  if (from.conj) implementation->_set_conj(true);
  if (from.negative) implementation->_set_neg(true);
  if (from.zero) implementation->_set_zero(true);
  if (from.wrapped_number) implementation->set_wrapped_number(true);
}

}  // namespace

tensor_record::tensor_record(const at::Tensor& tensor)
    : dtype(tensor.scalar_type()),
      conj(tensor.is_conj()),
      negative(tensor.is_neg()),
      wrapped_number(tensor.unsafeGetTensorImpl()->is_wrapped_number()),
      zero(tensor._is_zerotensor()),
      sizes(tensor.sizes().begin(), tensor.sizes().end()),
      strides(tensor.strides().begin(), tensor.strides().end()) {
  const auto& storage = tensor.storage();
  const std::size_t offset =
      static_cast<std::size_t>(tensor.storage_offset()) * c10::elementSize(dtype);
  data = storage.mutable_data() == nullptr ? nullptr
                                           : static_cast<char*>(storage.mutable_data()) + offset;
  bytes = storage.nbytes() > offset ? storage.nbytes() - offset : 0;
}

at::Tensor tensor_record::cpu_alias() const {
  auto storage = c10::make_intrusive<c10::StorageImpl>(
      c10::StorageImpl::use_byte_size_t(), static_cast<std::int64_t>(bytes),
      c10::DataPtr(data == nullptr ? nullptr : host_view(data), c10::Device(c10::kCPU)),
      c10::GetCPUAllocator(), true);
  auto alias = at::detail::make_tensor<c10::TensorImpl>(c10::Storage(std::move(storage)),
                                                        c10::DispatchKeySet(c10::DispatchKey::CPU),
                                                        c10::scalarTypeToTypeMeta(dtype));
  alias.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides);
  copy_properties(*this, alias);
  return alias;
}

bool tensor_record::holds(const at::Tensor& alias) const {
  return alias.storage().data() == (data == nullptr ? nullptr : host_view(data)) &&
         alias.storage_offset() == 0 && alias.is_conj() == conj && alias.is_neg() == negative &&
         (alias.strides() == strides || alias.numel() == 0);
}

at::Tensor tensor_record::meta() const {
  at::Tensor made = at::Tensor(at::detail::empty_strided_meta(sizes, strides, dtype));
  copy_properties(*this, made);
  return made;
}

}  // namespace convoy::torch_bridge
