#include "calls/kernels.hpp"

#include <convoy/stream.hpp>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "state/refusals.hpp"

namespace convoy::cuda {

struct kernel {
  std::string name;
};

namespace {

struct host_function {
  convoy_kernel_function run = nullptr;
  std::vector<std::size_t> sizes;
};

struct stub_entry {
  const void* module = nullptr;
  const kernel* launches = nullptr;
};

// Kernels keep their addresses, which are handles.
struct registry {
  std::mutex mutex;
  std::map<std::string, kernel, std::less<>> kernels;
  std::unordered_map<const void*, stub_entry> stubs;
  std::unordered_map<const void*, const kernel*> handles;
  std::map<std::string, host_function, std::less<>> functions;

  static registry& get() {
    static auto* const only = new registry;
    return *only;
  }

  const kernel* named(const char* name) {
    const auto [at, fresh] = kernels.try_emplace(name, kernel{name});
    if (fresh) handles[&at->second] = &at->second;
    return &at->second;
  }

  const kernel* find(const void* stub_or_kernel) const {
    if (const auto stub = stubs.find(stub_or_kernel); stub != stubs.end()) {
      return stub->second.launches;
    }
    const auto handle = handles.find(stub_or_kernel);
    return handle == handles.end() ? nullptr : handle->second;
  }
};

// The parameters of a launch, each where its alignment is that of anything.
class kept_parameters {
 public:
  kept_parameters(const std::vector<std::size_t>& sizes, void* const* from) {
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

bool is_shape(const dim3& extent) { return extent.x != 0 && extent.y != 0 && extent.z != 0; }

outcome refuse(const std::string& sentence) {
  note_refusal("launch", sentence);
  return cudaErrorInvalidDeviceFunction;
}

bool can_copy(const std::vector<std::size_t>& sizes, void* const* parameters) {
  if (sizes.empty()) return true;
  if (parameters == nullptr) return false;
  for (std::size_t i = 0; i != sizes.size(); ++i) {
    if (parameters[i] == nullptr) return false;
  }
  return true;
}

}  // namespace

void add_kernel(const void* module, const void* stub, const char* name) {
  registry& all = registry::get();
  const std::lock_guard held(all.mutex);
  all.stubs[stub] = {module, all.named(name)};
}

void forget_kernels(const void* module) {
  registry& all = registry::get();
  const std::lock_guard held(all.mutex);
  std::erase_if(all.stubs, [&](const auto& each) { return each.second.module == module; });
}

const kernel* find_kernel(const void* stub_or_kernel) {
  registry& all = registry::get();
  const std::lock_guard held(all.mutex);
  return all.find(stub_or_kernel);
}

const char* name_of(const kernel& which) { return which.name.c_str(); }

const kernel* kernel_named(const char* name) {
  registry& all = registry::get();
  const std::lock_guard held(all.mutex);
  return all.named(name);
}

outcome set_function(const char* name, convoy_kernel_function function, const std::size_t* sizes,
                     std::size_t parameters) {
  if (name == nullptr || (sizes == nullptr && parameters != 0)) return cudaErrorInvalidValue;
  registry& all = registry::get();
  const std::lock_guard held(all.mutex);
  if (function == nullptr) {
    all.functions.erase(name);
  } else {
    all.functions[name] = {function, {sizes, sizes + parameters}};
  }
  return cudaSuccess;
}

outcome launch(cudaStream_t stream, const void* stub_or_kernel, const launch_shape& shape,
               void* const* parameters) {
  if (!is_shape(shape.grid) || !is_shape(shape.block)) return cudaErrorInvalidConfiguration;
  const auto to = native(stream);
  if (!to) return to;
  host_function found;
  {
    registry& all = registry::get();
    const std::lock_guard held(all.mutex);
    const kernel* const which = all.find(stub_or_kernel);
    if (which == nullptr) return refuse("this address is not that of a kernel");
    const auto function = all.functions.find(which->name);
    if (function == all.functions.end()) {
      return refuse("kernel " + which->name + " has no function on the host");
    }
    found = function->second;
  }
  if (!can_copy(found.sizes, parameters)) return cudaErrorInvalidValue;
  auto kept = std::make_shared<kept_parameters>(found.sizes, parameters);
  return call(*to, [kept, shape, run = found.run] {
    const convoy_kernel_launch what{kept->pointers(), shape.grid, shape.block, shape.shared_bytes};
    run(&what);
  });
}

}  // namespace convoy::cuda
