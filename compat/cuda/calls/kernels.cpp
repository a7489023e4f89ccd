#include "calls/kernels.hpp"

#include <convoy/stream.hpp>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "calls/warnings.hpp"
#include "shared/process_lifetime.hpp"
#include "state/error_log.hpp"

namespace convoy::cuda {

struct kernel {
  std::string name;
};

namespace {

using compat::process_object;

struct host_function {
  convoy_kernel_function run = nullptr;
  std::vector<std::size_t> sizes;
};

struct stub_entry {
  const void* module = nullptr;
  const kernel* target = nullptr;
};

// Kernels are map nodes: their addresses are stable and serve as handles.
struct kernel_registry {
  std::mutex mutex;
  std::map<std::string, kernel, std::less<>> kernels;
  std::unordered_map<const void*, stub_entry> stubs;
  std::unordered_map<const void*, const kernel*> handles;
  std::map<std::string, host_function, std::less<>> functions;

  const kernel* named(const char* name) {
    const auto [at, fresh] = kernels.try_emplace(name, kernel{name});
    if (fresh) handles[&at->second] = &at->second;
    return &at->second;
  }

  const kernel* find(const void* stub_or_kernel) const {
    if (const auto stub = stubs.find(stub_or_kernel); stub != stubs.end()) {
      return stub->second.target;
    }
    const auto handle = handles.find(stub_or_kernel);
    return handle == handles.end() ? nullptr : handle->second;
  }
};

// Copies of the parameters of a launch, each aligned for any type.
class parameter_copies {
 public:
  parameter_copies(const std::vector<std::size_t>& sizes, void* const* from) {
    std::size_t total = 0;
    for (const std::size_t size : sizes) total += rounded(size);
    bytes_.resize(total / sizeof(std::max_align_t));
    auto* into = reinterpret_cast<std::byte*>(bytes_.data());
    for (std::size_t i = 0; i != sizes.size(); ++i) {
      std::memcpy(into, from[i], sizes[i]);
      pointers_.push_back(into);
      into += rounded(sizes[i]);
    }
  }

  [[nodiscard]] void* const* pointers() const { return pointers_.data(); }

 private:
  static std::size_t rounded(std::size_t bytes) {
    constexpr std::size_t unit = sizeof(std::max_align_t);
    return (bytes + unit - 1) / unit * unit;
  }

  std::vector<std::max_align_t> bytes_;
  std::vector<void*> pointers_;
};

bool is_valid_extent(const dim3& extent) { return extent.x != 0 && extent.y != 0 && extent.z != 0; }

call_status log_invalid_function(const std::string& message) {
  log_error("launch", message);
  return cudaErrorInvalidDeviceFunction;
}

bool has_parameters(const std::vector<std::size_t>& sizes, void* const* parameters) {
  if (sizes.empty()) return true;
  if (parameters == nullptr) return false;
  for (std::size_t i = 0; i != sizes.size(); ++i) {
    if (parameters[i] == nullptr) return false;
  }
  return true;
}

}  // namespace

void add_kernel(const void* module, const void* stub, const char* name) {
  auto& table = process_object<kernel_registry>();
  const std::lock_guard held(table.mutex);
  table.stubs[stub] = {module, table.named(name)};
}

void remove_kernels(const void* module) {
  auto& table = process_object<kernel_registry>();
  const std::lock_guard held(table.mutex);
  std::erase_if(table.stubs, [&](const auto& each) { return each.second.module == module; });
}

const kernel* find_kernel(const void* stub_or_kernel) {
  auto& table = process_object<kernel_registry>();
  const std::lock_guard held(table.mutex);
  return table.find(stub_or_kernel);
}

const char* name_of(const kernel& known) { return known.name.c_str(); }

call_status set_function(const char* name, convoy_kernel_function function,
                         const std::size_t* sizes, std::size_t parameters) {
  if (name == nullptr || (sizes == nullptr && parameters != 0)) return cudaErrorInvalidValue;
  auto& table = process_object<kernel_registry>();
  const std::lock_guard held(table.mutex);
  if (function == nullptr) {
    table.functions.erase(name);
  } else {
    table.functions[name] = {function, {sizes, sizes + parameters}};
  }
  return cudaSuccess;
}

call_status launch(cudaStream_t stream, const void* stub_or_kernel, const launch_shape& shape,
                   void* const* parameters) {
  if (!is_valid_extent(shape.grid) || !is_valid_extent(shape.block))
    return cudaErrorInvalidConfiguration;
  const auto target = native(stream);
  if (!target) return target;
  host_function found;
  {
    auto& table = process_object<kernel_registry>();
    const std::lock_guard held(table.mutex);
    const kernel* const launched = table.find(stub_or_kernel);
    if (launched == nullptr) return log_invalid_function("this address is no kernel");
    const auto function = table.functions.find(launched->name);
    if (function == table.functions.end()) {
      warn_of_missing_function(launched->name);
      return log_invalid_function("kernel " + launched->name + " has no host function registered");
    }
    found = function->second;
  }
  if (!has_parameters(found.sizes, parameters)) return cudaErrorInvalidValue;
  auto copies = std::make_shared<parameter_copies>(found.sizes, parameters);
  return call(*target, [copies, shape, run = found.run] {
    const convoy_kernel_launch arguments{copies->pointers(), shape.grid, shape.block,
                                         shape.shared_bytes};
    run(&arguments);
  });
}

}  // namespace convoy::cuda
