#include "state/kernel_plugins.hpp"

#include <dlfcn.h>

#include <atomic>
#include <convoy/configuration.hpp>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "convoy_kernels.h"
#include "shared/process_lifetime.hpp"
#include "state/kernel_registry.hpp"

namespace convoy::cuda {
namespace {

using compat::process_object;

constexpr const char* entry_name = "convoy_kernels_v1";

struct plugin_loader {
  std::mutex mutex;
  bool done = false;
  std::string problem;  // empty: all plug-ins are loaded
  std::string refused;  // the first registration that was refused, of the plug-in being loaded

  std::atomic<std::thread::id> loading_thread = {};
  std::atomic<bool> skips = false;
};

// convoy_add_kernel() for plug-ins: a refusal that a plug-in ignores is still reported. Runs while
// the loader's mutex is held, on the thread that holds it.
cudaError_t add_from_plugin(const convoy_kernel* definition) noexcept try {
  const call_status s = definition == nullptr ? call_status(cudaErrorInvalidValue, "it is null")
                                              : add_host_function(*definition);
  if (s.ok()) return cudaSuccess;
  const char* const name = definition == nullptr ? nullptr : definition->name;
  std::string& refused = process_object<plugin_loader>().refused;
  if (refused.empty()) {
    refused = std::string("registers the kernel \"") + (name == nullptr ? "" : name) + "\", but " +
              s.reason();
  }
  return s.code();
} catch (const std::bad_alloc&) {
  return cudaErrorMemoryAllocation;
}

std::string dynamic_linker_error() {
  const char* const text = ::dlerror();
  return text == nullptr ? "unknown error" : text;
}

// What is wrong with the plug-in, as the rest of a sentence that starts with its name; or empty.
std::string load(const std::string& file) {
  void* const opened = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) return "cannot be loaded: " + dynamic_linker_error();
  const auto entry = reinterpret_cast<decltype(&convoy_kernels_v1)>(::dlsym(opened, entry_name));
  if (entry == nullptr) {
    return std::string("does not export ") + entry_name + "(), which convoy_kernels.h declares";
  }
  std::string& refused = process_object<plugin_loader>().refused;
  refused.clear();
  try {
    const char* const sentence = entry(add_from_plugin);
    return sentence == nullptr ? refused : std::string("cannot be used: ") + sentence;
  } catch (...) {
    return "throws an exception";
  }
}

std::string sentence_about(const std::string& file, const std::string& fault) {
  return "the plug-in " + file + " (CONVOY_KERNELS) " + fault;
}

std::string load_all(plugin_loader& loader) {
  const auto setting = setting_value("CONVOY_KERNELS");
  if (!setting) return explain(setting.error());
  std::string_view rest = *setting;
  while (!rest.empty()) {
    const auto end = rest.find(':');
    const std::string each(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (each == "skip") {
      loader.skips.store(true, std::memory_order_relaxed);
    } else if (const std::string fault = load(each); !fault.empty()) {
      return sentence_about(each, fault);
    }
  }
  return {};
}

class loading_scope {
 public:
  explicit loading_scope(plugin_loader& loader) noexcept : thread_(loader.loading_thread) {
    thread_.store(std::this_thread::get_id(), std::memory_order_relaxed);
  }
  ~loading_scope() { thread_.store({}, std::memory_order_relaxed); }
  loading_scope(const loading_scope&) = delete;
  loading_scope& operator=(const loading_scope&) = delete;

 private:
  std::atomic<std::thread::id>& thread_;
};

}  // namespace

call_status load_kernel_plugins() {
  auto& loader = process_object<plugin_loader>();
  if (loader.loading_thread.load(std::memory_order_relaxed) == std::this_thread::get_id()) {
    return {cudaErrorInitializationError, "a plug-in for kernels calls CUDA while it is loaded"};
  }
  const std::lock_guard held(loader.mutex);
  if (!loader.done) {
    const loading_scope loading(loader);
    loader.problem = load_all(loader);
    loader.done = true;
    if (!loader.problem.empty()) std::fprintf(stderr, "convoy: %s\n", loader.problem.c_str());
  }
  if (loader.problem.empty()) return cudaSuccess;
  return {cudaErrorInitializationError, loader.problem.c_str()};
}

bool skips_kernels() noexcept {
  return process_object<plugin_loader>().skips.load(std::memory_order_relaxed);
}

}  // namespace convoy::cuda
