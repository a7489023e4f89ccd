// g++ -std=c++17 cuda_kernel.cpp -o cuda_kernel $(pkg-config --cflags --libs convoy-cudart)
// convoy run --kernels ./cuda_kernel_plugin.so -- ./cuda_kernel
//
// A CUDA program with a kernel. A GPU would run its device code; Convoy runs the host function that
// the plug-in examples/cuda_kernel_plugin.cpp has for the kernel's name.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr unsigned count = 1000;

// scale(numbers, count, factor) multiplies each number by the factor.
constexpr const char* device_code = R"(
.version 7.0
.target sm_80
.address_size 64
.visible .entry scale(.param .u64 numbers, .param .u32 count, .param .f32 factor) {
  .reg .pred %outside;
  .reg .u32 %block, %threads, %thread, %index, %count;
  .reg .u64 %numbers, %offset, %address;
  .reg .f32 %factor, %number;
  mov.u32 %block, %ctaid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %thread, %tid.x;
  mad.lo.u32 %index, %block, %threads, %thread;
  ld.param.u32 %count, [count];
  setp.ge.u32 %outside, %index, %count;
  @%outside ret;
  ld.param.u64 %numbers, [numbers];
  cvta.to.global.u64 %numbers, %numbers;
  mul.wide.u32 %offset, %index, 4;
  add.u64 %address, %numbers, %offset;
  ld.param.f32 %factor, [factor];
  ld.global.f32 %number, [%address];
  mul.f32 %number, %number, %factor;
  st.global.f32 [%address], %number;
  ret;
}
)";

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

}  // namespace

int main() {
  cudaLibrary_t library = nullptr;
  cudaKernel_t scale = nullptr;
  check(cudaLibraryLoadData(&library, device_code, nullptr, nullptr, 0, nullptr, nullptr, 0));
  check(cudaLibraryGetKernel(&scale, library, "scale"));

  std::vector<float> numbers(count, 2.0F);
  const size_t bytes = count * sizeof(float);
  float* device = nullptr;
  check(cudaMalloc(&device, bytes));
  check(cudaMemcpy(device, numbers.data(), bytes, cudaMemcpyHostToDevice));
  unsigned elements = count;
  float factor = 1.5F;
  void* parameters[] = {&device, &elements, &factor};
  check(cudaLaunchKernel(reinterpret_cast<const void*>(scale), dim3((count + 255) / 256), dim3(256),
                         parameters, 0, nullptr));
  check(cudaMemcpy(numbers.data(), device, bytes, cudaMemcpyDeviceToHost));

  size_t wrong = 0;
  for (const float each : numbers) wrong += each == 3.0F ? 0 : 1;
  std::printf("%u numbers scaled, %zu wrong\n", count, wrong);
  check(cudaFree(device));
  check(cudaLibraryUnload(library));
  return wrong == 0 ? 0 : 1;
}
