#include "calls/modules.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include "shared/process_lifetime.hpp"

namespace convoy::cuda {
namespace {

using compat::process_object;

// The handle of a module is a unique address.
struct module_registry {
  std::mutex mutex;
  std::map<const void*, std::unique_ptr<char>> loaded;
};

}  // namespace

call_status load_module(const void* image, void** handle) {
  if (image == nullptr || handle == nullptr) return cudaErrorInvalidValue;
  auto made = std::make_unique<char>();
  auto& table = process_object<module_registry>();
  const std::lock_guard held(table.mutex);
  *handle = made.get();
  table.loaded.emplace(*handle, std::move(made));
  return cudaSuccess;
}

call_status load_module_file(const char* file, void** handle) {
  if (file == nullptr || handle == nullptr) return cudaErrorInvalidValue;
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed)) return cudaErrorFileNotFound;
  return load_module(file, handle);
}

call_status unload_module(const void* handle) {
  auto& table = process_object<module_registry>();
  const std::lock_guard held(table.mutex);
  return table.loaded.erase(handle) == 0 ? cudaErrorInvalidResourceHandle : cudaSuccess;
}

call_status check_module(const void* handle) {
  auto& table = process_object<module_registry>();
  const std::lock_guard held(table.mutex);
  return table.loaded.contains(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

call_status find_in_module(const void* handle, const char* name, const kernel** found) {
  if (name == nullptr || found == nullptr) return cudaErrorInvalidValue;
  if (const call_status s = check_module(handle); !s.ok()) return s;
  if (*name == '\0') return cudaErrorSymbolNotFound;
  *found = kernel_named(name);
  return cudaSuccess;
}

}  // namespace convoy::cuda
