#include "state/kernel_registry.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>

#include "shared/process_lifetime.hpp"
#include "state/kernel_names.hpp"

namespace convoy::cuda {

struct kernel {
  std::string name;

  // The result of the last search, valid while the registry has the same version.
  mutable std::shared_ptr<const host_function> function;
  mutable std::uint64_t version = 0;
};

namespace {

using compat::process_object;
using function_map = std::map<std::string, std::shared_ptr<const host_function>, std::less<>>;

struct stub_entry {
  const void* module = nullptr;
  const kernel* target = nullptr;
};

struct kernel_registry {
  std::mutex mutex;
  std::map<std::string, kernel, std::less<>> kernels;
  std::unordered_map<const void*, stub_entry> stubs;
  std::unordered_map<const void*, const kernel*> handles;
  function_map functions;
  std::vector<const function_map::value_type*> patterns;  // in the order of their registration
  std::uint64_t version = 1;                              // rises with each change of the functions

  const kernel* named(const char* name) {
    const auto [at, fresh] = kernels.try_emplace(name);
    if (fresh) {
      at->second.name = at->first;
      handles[&at->second] = &at->second;
    }
    return &at->second;
  }

  const kernel* find(const void* stub_or_kernel) const {
    if (const auto stub = stubs.find(stub_or_kernel); stub != stubs.end()) {
      return stub->second.target;
    }
    const auto handle = handles.find(stub_or_kernel);
    return handle == handles.end() ? nullptr : handle->second;
  }

  void set(const char* name, std::shared_ptr<const host_function> function) {
    const auto [at, fresh] = functions.insert_or_assign(name, std::move(function));
    if (fresh && is_pattern(at->first)) patterns.push_back(&*at);
    ++version;
  }

  void remove(const char* name) {
    const auto at = functions.find(name);
    if (at == functions.end()) return;
    std::erase(patterns, &*at);
    functions.erase(at);
    ++version;
  }

  std::shared_ptr<const host_function> search(const std::string& name) const {
    if (const auto exact = functions.find(name); exact != functions.end()) return exact->second;
    const std::string plain = demangled(name);
    if (const auto exact = functions.find(plain); exact != functions.end()) return exact->second;
    const auto found = std::ranges::find_if(patterns, [&](const auto* each) {
      return matches(each->first, name) || matches(each->first, plain);
    });
    return found == patterns.end() ? nullptr : (*found)->second;
  }
};

// The most that CUDA takes for all parameters of a kernel.
constexpr std::size_t max_parameter_bytes = 32764;

bool is_valid(const convoy_kernel_parameter& parameter) {
  if (parameter.access == convoy_kernel_value) return parameter.bytes <= max_parameter_bytes;
  const bool known = parameter.access >= convoy_kernel_pointer_to &&
                     parameter.access <= convoy_kernel_reads_and_writes;
  return known && parameter.bytes == sizeof(void*);
}

call_status check(const convoy_kernel& definition) {
  if (definition.name == nullptr || *definition.name == '\0') {
    return {cudaErrorInvalidValue, "the kernel has no name"};
  }
  if (definition.parameters == nullptr && definition.parameter_count != 0) {
    return {cudaErrorInvalidValue, "the array of parameters is null"};
  }
  const auto* const end = definition.parameters + definition.parameter_count;
  if (std::find_if_not(definition.parameters, end, is_valid) != end) {
    return {
        cudaErrorInvalidValue,
        "a parameter has an unknown access, is a pointer of another size than sizeof(void*), or "
        "is larger than 32764 bytes"};
  }
  std::size_t bytes = 0;
  for (const auto* each = definition.parameters; each != end; ++each) bytes += each->bytes;
  if (bytes <= max_parameter_bytes) return cudaSuccess;
  return {cudaErrorInvalidValue, "the parameters have more than 32764 bytes together"};
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

const std::string& name_of(const kernel& known) { return known.name; }

const kernel* kernel_named(const char* name) {
  auto& table = process_object<kernel_registry>();
  const std::lock_guard held(table.mutex);
  return table.named(name);
}

call_status add_host_function(const convoy_kernel& definition) {
  if (const call_status s = check(definition); !s.ok()) return s;
  auto& table = process_object<kernel_registry>();
  if (definition.function == nullptr) {
    const std::lock_guard held(table.mutex);
    table.remove(definition.name);
    return cudaSuccess;
  }
  const auto* const first = definition.parameters;
  auto added = std::make_shared<const host_function>(
      host_function{definition.function,
                    {first, first + definition.parameter_count},
                    definition.extent,
                    definition.user});
  const std::lock_guard held(table.mutex);
  table.set(definition.name, std::move(added));
  return cudaSuccess;
}

std::shared_ptr<const host_function> host_function_of(const kernel& launched) {
  auto& table = process_object<kernel_registry>();
  const std::lock_guard held(table.mutex);
  if (launched.version != table.version) {
    launched.function = table.search(launched.name);
    launched.version = table.version;
  }
  return launched.function;
}

}  // namespace convoy::cuda
