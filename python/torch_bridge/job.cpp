#include "job.hpp"

#include <ATen/Parallel.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/copy.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cstdio>
#include <mutex>

#include "compute_team.hpp"
#include "cuda_runtime.hpp"

namespace convoy::torch_bridge {
namespace {

struct job {
  recorded_call call;
  std::vector<result_records> results;

  [[nodiscard]] bool results_are_defined() const {
    return std::all_of(results.begin(), results.end(), [](const auto& each) {
      return !each.is_list && each.tensors[0].has_value();
    });
  }
};

std::mutex failure_mutex;
std::string failure;

void record_failure(const std::string& name, const char* text) noexcept {
  const std::lock_guard held(failure_mutex);
  if (!failure.empty()) return;
  failure = name + ": " + text;
  std::fprintf(stderr, "convoy.torch: %s failed on its stream: %s\n", name.c_str(), text);
}

[[noreturn]] void report_unpredicted(const operator_plan& plan, const std::string& difference) {
  TORCH_INTERNAL_ASSERT(false, "convoy.torch predicted another result for ", plan.name, ": ",
                        difference);
}

std::string text_of(c10::IntArrayRef sizes, at::ScalarType dtype) {
  std::ostringstream text;
  text << dtype << " " << sizes;
  return text.str();
}

void store(const operator_plan& plan, const std::optional<tensor_record>& to,
           const at::Tensor& result) {
  if (!to && !result.defined()) return;
  if (!to || !result.defined()) report_unpredicted(plan, "an undefined tensor");
  if (!to->lies_as(result)) {
    report_unpredicted(plan, text_of(to->sizes, to->dtype) + " instead of " +
                                 text_of(result.sizes(), result.scalar_type()));
  }
  to->cpu_alias().copy_(result);
}

void store(const operator_plan& plan, const result_records& to, const c10::IValue& result) {
  if (!to.is_list) {
    store(plan, to.tensors[0], result.isNone() ? at::Tensor() : result.toTensor());
    return;
  }
  const auto list = result.toListRef();
  if (list.size() != to.tensors.size()) report_unpredicted(plan, "a list of another length");
  for (std::size_t i = 0; i != list.size(); ++i) store(plan, to.tensors[i], list[i].toTensor());
}

// Results that the kernel put elsewhere are copied to where they belong; a copy is made first, as
// they may lie in the same memory in another order, or be conjugates.
void check_and_store(const operator_plan& plan, const tensor_record& to,
                     const at::Tensor& written) {
  if (to.lies_as(written) && to.holds(written)) return;
  store(plan, std::optional(to), written.clone().resolve_conj().resolve_neg());
}

void run_into_results(const job& work) {
  const auto& plan = work.call.plan();
  auto stack = work.call.cpu_arguments();
  std::vector<at::Tensor> outs;
  for (const auto& result : work.results) {
    outs.push_back(result.tensors[0]->cpu_alias());
    stack.emplace_back(outs.back());
  }
  plan.out_variant->callBoxed(&stack);
  for (std::size_t i = 0; i != outs.size(); ++i) {
    check_and_store(plan, *work.results[i].tensors[0], outs[i]);
  }
}

void check_written(const job& work, const torch::jit::Stack& arguments) {
  for (const auto& each : work.call.written_records()) {
    const auto& argument = arguments[each.argument];
    check_and_store(
        work.call.plan(), work.call.records()[each.record],
        argument.isTensor() ? argument.toTensor() : argument.toListRef()[each.position].toTensor());
  }
}

void run_and_copy(const job& work) {
  const auto& plan = work.call.plan();
  auto stack = work.call.cpu_arguments();
  const auto arguments = stack;
  plan.op.callBoxed(&stack);
  check_written(work, arguments);
  std::size_t next = 0;
  for (std::size_t i = 0; i != stack.size(); ++i) {
    if (!plan.aliased_argument[i]) store(plan, work.results[next++], stack[i]);
  }
}

void run(const job& work) {
  const c10::InferenceMode mode;
  if (work.call.plan().out_variant && work.results_are_defined())
    run_into_results(work);
  else
    run_and_copy(work);
}

void run_queued(void* argument) {
  const std::unique_ptr<job> work(static_cast<job*>(argument));
  try {
    run_in_team(work->call.bytes(), [&] { run(*work); });
  } catch (const c10::Error& error) {
    record_failure(work->call.plan().name, error.what_without_backtrace());
    throw;
  } catch (const std::exception& error) {
    record_failure(work->call.plan().name, error.what());
    throw;
  }
}

}  // namespace

void queue(recorded_call call, std::vector<result_records> results) {
  const auto stream = current_stream(call.device());
  auto work = std::make_unique<job>(job{std::move(call), std::move(results)});
  launch_host_function(stream, run_queued, work.get());
  static_cast<void>(work.release());
}

torch::jit::Stack run_now(const recorded_call& call, torch::jit::Stack& arguments) {
  const c10::InferenceMode mode;
  arguments = call.cpu_arguments();
  auto stack = arguments;
  call.plan().op.callBoxed(&stack);
  return stack;
}

std::string first_failure() {
  const std::lock_guard held(failure_mutex);
  return failure;
}

}  // namespace convoy::torch_bridge
