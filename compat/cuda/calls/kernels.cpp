#include "calls/kernels.hpp"

#include <convoy/memory.hpp>
#include <convoy/stream.hpp>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "calls/warnings.hpp"
#include "state/error_log.hpp"
#include "state/kernel_plugins.hpp"
#include "state/thread.hpp"

namespace convoy::cuda {
namespace {

void* translated(const void* pointer) {
  const auto found = engine_address(pointer);
  return found ? *found : const_cast<void*>(pointer);
}

void* pointer_at(const void* parameter) {
  void* value = nullptr;
  std::memcpy(&value, parameter, sizeof value);
  return value;
}

bool is_accessed(convoy_kernel_access access) { return access >= convoy_kernel_reads; }

// A launch with copies of its parameters, each aligned for any type.
class prepared_launch {
 public:
  prepared_launch(const kernel& launched, std::shared_ptr<const host_function> function,
                  const launch_shape& shape, void* const* from)
      : function_(std::move(function)) {
    copy_parameters(from);
    arguments_ = {.parameters = pointers_.data(),
                  .grid = shape.grid,
                  .block = shape.block,
                  .shared_bytes = shape.shared_bytes,
                  .parameter_count = pointers_.size(),
                  .name = name_of(launched).c_str(),
                  .user = function_->user,
                  .translate = translated};
  }
  prepared_launch(const prepared_launch&) = delete;
  prepared_launch& operator=(const prepared_launch&) = delete;

  // The number of bytes that the launch accesses from a pointer parameter on; 0 if unknown.
  [[nodiscard]] std::size_t extent_of(std::size_t parameter) const {
    const bool known =
        function_->extent != nullptr && is_accessed(function_->parameters[parameter].access);
    return known ? function_->extent(&arguments_, parameter) : 0;
  }

  void run() const {
    run_host_function([this] { function_->run(&arguments_); });
  }

 private:
  static std::size_t rounded(std::size_t bytes) {
    constexpr std::size_t unit = sizeof(std::max_align_t);
    return (bytes + unit - 1) / unit * unit;
  }

  void copy_parameters(void* const* from) {
    const auto& parameters = function_->parameters;
    std::size_t total = 0;
    for (const auto& each : parameters) total += rounded(each.bytes);
    bytes_.resize(total / sizeof(std::max_align_t));
    auto* into = reinterpret_cast<std::byte*>(bytes_.data());
    for (std::size_t i = 0; i != parameters.size(); ++i) {
      std::memcpy(into, from[i], parameters[i].bytes);
      if (parameters[i].access != convoy_kernel_value) {
        void* const address = translated(pointer_at(into));
        std::memcpy(into, &address, sizeof address);
      }
      pointers_.push_back(into);
      into += rounded(parameters[i].bytes);
    }
  }

  const std::shared_ptr<const host_function> function_;
  std::vector<std::max_align_t> bytes_;
  std::vector<void*> pointers_;
  convoy_kernel_launch arguments_ = {};
};

bool is_valid_extent(const dim3& extent) { return extent.x != 0 && extent.y != 0 && extent.z != 0; }

call_status log_invalid_function(const std::string& message) {
  log_error("launch", message);
  return cudaErrorInvalidDeviceFunction;
}

bool has_parameters(const host_function& function, void* const* parameters) {
  if (function.parameters.empty()) return true;
  if (parameters == nullptr) return false;
  for (std::size_t i = 0; i != function.parameters.size(); ++i) {
    if (parameters[i] == nullptr) return false;
  }
  return true;
}

status check_range(const void* start, std::size_t bytes) {
  if (bytes == 0) return {};
  if (start == nullptr) return {errc::null_pointer};
  const auto found = locate(start);
  if (!found) return found.error();
  if (bytes <= found->bytes_left) return {};
  return {errc::leaves_allocation, copy_side::none, {}, start};
}

// `parameters` are those of the program, with its own addresses.
call_status check_ranges(const kernel& launched, const prepared_launch& prepared,
                         const host_function& function, void* const* parameters) {
  for (std::size_t i = 0; i != function.parameters.size(); ++i) {
    const std::size_t bytes = prepared.extent_of(i);
    if (bytes == 0) continue;
    const status s = check_range(pointer_at(parameters[i]), bytes);
    if (s.ok()) continue;
    log_error("launch", "kernel " + name_of(launched) + " accesses " + std::to_string(bytes) +
                            " bytes from parameter " + std::to_string(i) + " on");
    return {cudaErrorIllegalAddress, s};
  }
  return cudaSuccess;
}

// A step that does nothing, in the place of the kernel.
call_status skip(stream_ref stream, const kernel& launched) {
  const call_status enqueued = call(stream, [] {});
  if (enqueued.ok()) report_skipped_kernel(name_of(launched));
  return enqueued;
}

}  // namespace

call_status launch(cudaStream_t stream, const void* stub_or_kernel, const launch_shape& shape,
                   void* const* parameters) {
  if (!is_valid_extent(shape.grid) || !is_valid_extent(shape.block))
    return cudaErrorInvalidConfiguration;
  const auto target = native(stream);
  if (!target) return target;
  const kernel* const launched = find_kernel(stub_or_kernel);
  if (launched == nullptr) return log_invalid_function("this address is no kernel");
  const auto function = host_function_of(*launched);
  if (function == nullptr) {
    if (skips_kernels()) return skip(*target, *launched);
    warn_of_missing_function(name_of(*launched));
    return log_invalid_function("kernel " + name_of(*launched) +
                                " has no host function registered");
  }
  if (!has_parameters(*function, parameters)) return cudaErrorInvalidValue;
  const auto prepared =
      std::make_shared<const prepared_launch>(*launched, function, shape, parameters);
  const call_status in_range = check_ranges(*launched, *prepared, *function, parameters);
  if (!in_range.ok()) return in_range;
  return call(*target, [prepared] { prepared->run(); });
}

bool is_skipped(const void* stub_or_kernel) {
  if (!skips_kernels()) return false;
  const kernel* const launched = find_kernel(stub_or_kernel);
  return launched != nullptr && host_function_of(*launched) == nullptr;
}

}  // namespace convoy::cuda
