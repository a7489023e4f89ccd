// The functions that convoy/torch.py calls through ctypes. The library uses no Python, so one file
// serves every Python that a release of torch supports.
#include <ATen/Context.h>

#include <chrono>
#include <cstring>
#include <string>
#include <thread>

#include "boxed_kernel.hpp"
#include "cuda_runtime.hpp"
#include "job.hpp"
#include "registration.hpp"

namespace convoy::torch_bridge {
namespace {

void copy_text(const std::string& text, char* into, std::size_t capacity) {
  if (capacity == 0) return;
  const std::size_t length = std::min(text.size(), capacity - 1);
  std::memcpy(into, text.data(), length);
  into[length] = '\0';
}

void choose_portable_paths() {
  auto& context = at::globalContext();
  context.setUserEnabledCuDNN(false);
  context.setSDPUseFlash(false);
  context.setSDPUseMemEfficient(false);
  context.setSDPUseCuDNN(false);
}

void sleep_on_stream(void* nanoseconds) {
  std::this_thread::sleep_for(
      std::chrono::nanoseconds(reinterpret_cast<std::int64_t>(nanoseconds)));
}

}  // namespace
}  // namespace convoy::torch_bridge

namespace bridge = convoy::torch_bridge;

#define CONVOY_BRIDGE_EXPORT extern "C" __attribute__((visibility("default")))

// Registers the kernels. Returns the number of operators computed, or -1 with the reason.
CONVOY_BRIDGE_EXPORT int convoy_torch_install(char* reason, std::size_t capacity) {
  try {
    const auto missing = bridge::find_cuda_runtime();
    if (!missing.empty()) {
      bridge::copy_text(missing, reason, capacity);
      return -1;
    }
    bridge::choose_portable_paths();
    return static_cast<int>(bridge::register_kernels().computed);
  } catch (const std::exception& error) {
    bridge::copy_text(error.what(), reason, capacity);
    return -1;
  }
}

// Holds the current stream of a device for a time. Returns 0, or -1 when the stream has failed.
CONVOY_BRIDGE_EXPORT int convoy_torch_sleep(int device, std::int64_t nanoseconds) {
  try {
    const c10::Device cuda(c10::DeviceType::CUDA, static_cast<c10::DeviceIndex>(device));
    bridge::launch_host_function(bridge::current_stream(cuda), bridge::sleep_on_stream,
                                 reinterpret_cast<void*>(nanoseconds));
    return 0;
  } catch (const std::exception&) {
    return -1;
  }
}

// Waits for every device in use.
CONVOY_BRIDGE_EXPORT void convoy_torch_drain() { bridge::drain_devices(); }

// The first operator that failed on a stream and why, or an empty text.
CONVOY_BRIDGE_EXPORT void convoy_torch_first_failure(char* text, std::size_t capacity) {
  bridge::copy_text(bridge::first_failure(), text, capacity);
}

// Calls that waited for their stream.
CONVOY_BRIDGE_EXPORT std::uint64_t convoy_torch_synchronous_calls() {
  return bridge::synchronous_calls();
}
