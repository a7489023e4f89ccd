#include "copy.hpp"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/copy_native.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zero.h>

#include "boxed_kernel.hpp"
#include "job.hpp"

namespace convoy::torch_bridge {
namespace {

operator_plan& copy_plan() {
  static auto* const plan =
      new operator_plan(c10::Dispatcher::singleton().findSchemaOrThrow("aten::copy_", ""));
  return *plan;
}

bool is_runtime_copy(const at::Tensor& self, const at::Tensor& source) {
  return self.scalar_type() == source.scalar_type() && self.is_conj() == source.is_conj() &&
         self.is_neg() == source.is_neg() && self.sizes() == source.sizes() &&
         ((self.is_contiguous() && source.is_contiguous()) ||
          (self.strides() == source.strides() && self.is_non_overlapping_and_dense()));
}

void copy_on_device(const at::Tensor& self, const at::Tensor& source) {
  const torch::jit::Stack stack{self, source.expand_as(self), false};
  queue(recorded_call(copy_plan(), stack), {});
}

// Elements are rearranged on the device that holds them; between devices they are contiguous.
void copy_between_devices(const at::Tensor& self, const at::Tensor& source, bool non_blocking) {
  auto sent =
      source.expand_as(self).resolve_conj().resolve_neg().to(self.scalar_type()).contiguous();
  auto received = at::empty_like(sent, sent.options().device(self.device()));
  received.copy_(sent, non_blocking);
  self.copy_(received);
}

}  // namespace

at::Tensor& copy(at::Tensor& self, const at::Tensor& source, bool non_blocking) {
  const at::AutoDispatchBelowADInplaceOrView below_autograd;
  const bool same_tensor = self.is_same(source);
  if (same_tensor || self.numel() == 0 || !self.is_cuda() || !source.is_cuda() ||
      source._is_zerotensor() || is_runtime_copy(self, source)) {
    return at::native::copy_(self, source, non_blocking);
  }
  if (self.device() == source.device())
    copy_on_device(self, source);
  else
    copy_between_devices(self, source, non_blocking);
  return self;
}

}  // namespace convoy::torch_bridge
