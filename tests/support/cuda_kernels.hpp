// Kernels and their host functions in tests.
#pragma once

#include <convoy_kernels.h>

#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "support/cuda.hpp"

namespace convoy::test {

// The kernel with this mangled name, in a library that the program has loaded.
inline cudaKernel_t kernel_named(const char* name) {
  cudaLibrary_t library = nullptr;
  cudaKernel_t found = nullptr;
  must(cudaLibraryLoadData(&library, "device code", nullptr, nullptr, 0, nullptr, nullptr, 0));
  must(cudaLibraryGetKernel(&found, library, name));
  must(cudaLibraryUnload(library));
  return found;
}

inline cudaError_t launch(cudaKernel_t kernel, void** parameters, cudaStream_t stream) {
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(1), parameters, 0,
                          stream);
}

inline cudaError_t launch(const char* name) { return launch(kernel_named(name), nullptr, nullptr); }

// A host function for kernels of this name, until the end of the test.
class kernel_function {
 public:
  using parameters = std::vector<convoy_kernel_parameter>;

  kernel_function(const char* name, convoy_kernel_function run, const parameters& declared = {},
                  void* user = nullptr, convoy_kernel_extent extent = nullptr)
      : name_(name) {
    must(add(run, declared, user, extent));
  }
  ~kernel_function() { static_cast<void>(add(nullptr, {}, nullptr, nullptr)); }
  kernel_function(const kernel_function&) = delete;
  kernel_function& operator=(const kernel_function&) = delete;

 private:
  [[nodiscard]] cudaError_t add(convoy_kernel_function run, const parameters& declared, void* user,
                                convoy_kernel_extent extent) const {
    const convoy_kernel added{name_.c_str(), run, declared.data(), declared.size(), extent, user};
    return convoy_add_kernel(&added);
  }

  const std::string name_;
};

// A host function that counts its launches.
class counting_function {
 public:
  explicit counting_function(const char* name) : function_(name, count, {}, &launches_) {}
  ~counting_function() { static_cast<void>(cudaDeviceSynchronize()); }  // launches use the counter
  counting_function(const counting_function&) = delete;
  counting_function& operator=(const counting_function&) = delete;

  // Waits for all streams first.
  [[nodiscard]] int launches() const {
    must(cudaDeviceSynchronize());
    return launches_;
  }

 private:
  static void count(const convoy_kernel_launch* launch) {
    ++*static_cast<std::atomic<int>*>(launch->user);
  }

  std::atomic<int> launches_ = 0;
  kernel_function function_;
};

}  // namespace convoy::test
