// The arguments of one call: read at the call, and given to the CPU kernel when the stream gets to
// it. Tensors of the device are records; CPU tensors and values are copied at the call.
#pragma once

#include <ATen/core/stack.h>

#include <optional>
#include <string>
#include <vector>

#include "operator_plan.hpp"
#include "tensor_record.hpp"

namespace convoy::torch_bridge {

// A stretch of a generator's sequence that one call has for itself.
struct random_range {
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;
};

class recorded_call {
 public:
  // Reads the last arguments on the stack and leaves them there. Throws for tensors of several
  // devices.
  recorded_call(const operator_plan& plan, const torch::jit::Stack& stack);

  [[nodiscard]] c10::Device device() const { return device_; }
  [[nodiscard]] const operator_plan& plan() const { return *plan_; }

  // What decides the layout of the results.
  [[nodiscard]] std::string signature() const;

  // Bytes of all tensors: an estimate of the work.
  [[nodiscard]] std::size_t bytes() const;

  // The arguments for a kernel: aliases on the CPU, or tensors without memory.
  [[nodiscard]] torch::jit::Stack cpu_arguments() const;
  [[nodiscard]] torch::jit::Stack meta_arguments() const;

  // Draws from the device's generator, if the operator takes one.
  void reserve_random_numbers();

  [[nodiscard]] const std::vector<tensor_record>& records() const { return records_; }

  // A tensor that the operator writes: its argument, its position in a list, and its record.
  struct written_record {
    std::size_t argument;
    std::size_t position;
    std::size_t record;
  };
  [[nodiscard]] std::vector<written_record> written_records() const;

  // The arguments with tensors of their own, of the same layouts, that hold ones and zeros.
  [[nodiscard]] torch::jit::Stack sample_arguments() const;

 private:
  // A tensor of an argument: a record, a copy of a CPU tensor, or neither for an undefined one.
  struct tensor_slot {
    int record = -1;
    int held = -1;
    bool none = false;
  };
  struct argument_slots {
    c10::SmallVector<tensor_slot, 1> tensors;
    bool none = false;
  };

  [[nodiscard]] bool may_be_on_cpu(const at::Tensor& tensor, std::size_t argument) const;
  void add(const at::Tensor& tensor, std::size_t argument);
  void take_device(c10::Device device);
  template <class MakeAlias, class MakeHeld>
  [[nodiscard]] torch::jit::Stack arguments(const MakeAlias& alias, const MakeHeld& held,
                                            c10::DeviceType type) const;

  const operator_plan* plan_;
  c10::Device device_{c10::DeviceType::CPU};
  std::vector<tensor_record> records_;
  c10::SmallVector<const void*, 4> identities_;  // the tensors of the records; compared, not used
  std::vector<at::Tensor> cpu_tensors_;          // copies of CPU tensors
  c10::SmallVector<argument_slots, 6> slots_;
  std::vector<c10::IValue> values_;
  std::optional<random_range> random_;
};

}  // namespace convoy::torch_bridge
