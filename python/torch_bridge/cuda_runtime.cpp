#include "cuda_runtime.hpp"

#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/util/Exception.h>
#include <dlfcn.h>

#include <convoy/memory.hpp>

namespace convoy::torch_bridge {
namespace {

struct runtime_functions {
  int (*launch_host)(void*, host_function, void*) = nullptr;
  int (*stream_synchronize)(void*) = nullptr;
  int (*device_synchronize)() = nullptr;
  int (*device_count)(int*) = nullptr;
  int (*set_device)(int) = nullptr;
  int (*current_device)(int*) = nullptr;
  int (*context_state)(int, unsigned*, int*) = nullptr;
  const char* (*error_text)(int) = nullptr;
  int (*clear_error)() = nullptr;
  result<void*> (*engine_address)(const void*) = nullptr;
};
runtime_functions runtime;

// Torch may have loaded the runtime for itself alone, so the search is in its file.
void* runtime_library() {
  static void* const library = [] {
    for (const char* name : {"libcudart.so.13", "libcudart.so.12"}) {
      if (void* const found = dlopen(name, RTLD_LAZY | RTLD_NOLOAD)) return found;
    }
    return static_cast<void*>(RTLD_DEFAULT);
  }();
  return library;
}

template <class Function>
bool find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(runtime_library(), name));
  return function != nullptr;
}

const c10::impl::VirtualGuardImpl& cuda_guard() {
  static const c10::impl::VirtualGuardImpl guard(c10::DeviceType::CUDA);
  return guard;
}

void check(int code) {
  if (code == 0) return;
  runtime.clear_error();
  TORCH_CHECK(false, "CUDA error: ", runtime.error_text(code));
}

void* native_handle(const c10::Stream& stream) {
  return cuda_guard().getStreamNativeHandle(stream);
}

}  // namespace

std::string find_cuda_runtime() {
  if (dlsym(runtime_library(), "convoy_set_kernel") == nullptr) {
    return "the CUDA runtime in this process is not Convoy's";
  }
  const bool all = find(runtime.launch_host, "cudaLaunchHostFunc") &&
                   find(runtime.stream_synchronize, "cudaStreamSynchronize") &&
                   find(runtime.device_synchronize, "cudaDeviceSynchronize") &&
                   find(runtime.device_count, "cudaGetDeviceCount") &&
                   find(runtime.set_device, "cudaSetDevice") &&
                   find(runtime.current_device, "cudaGetDevice") &&
                   find(runtime.error_text, "cudaGetErrorString") &&
                   find(runtime.clear_error, "cudaGetLastError") &&
                   find(runtime.context_state, "cuDevicePrimaryCtxGetState");
  if (!all) return "the CUDA runtime in this process lacks a function";
  if (!find(runtime.engine_address, "_ZN6convoy14engine_addressEPKv")) {
    return "the libraries of Convoy in this process are of another version";
  }
  return {};
}

c10::Stream current_stream(c10::Device device) { return cuda_guard().getStream(device); }

void launch_host_function(const c10::Stream& stream, host_function function, void* argument) {
  const c10::OptionalDeviceGuard guard(stream.device());
  check(runtime.launch_host(native_handle(stream), function, argument));
}

void synchronize(const c10::Stream& stream) {
  const c10::OptionalDeviceGuard guard(stream.device());
  check(runtime.stream_synchronize(native_handle(stream)));
}

void drain_devices() noexcept {
  int count = 0;
  int before = 0;
  if (runtime.device_count == nullptr || runtime.device_count(&count) != 0) return;
  runtime.current_device(&before);
  for (int device = 0; device != count; ++device) {
    unsigned flags = 0;
    int active = 0;
    if (runtime.context_state(device, &flags, &active) != 0 || active == 0) continue;
    runtime.set_device(device);
    runtime.device_synchronize();
  }
  runtime.set_device(before);
}

void* host_view(void* device_address) { return runtime.engine_address(device_address).value(); }

}  // namespace convoy::torch_bridge
