// A program as nvcc builds them: kernels, device, constant and managed variables. Its kernel has a
// function on the host when Convoy's library is the one that is loaded.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <convoy/compat/cuda/convoy_kernels.h>

__device__ int counter;
__constant__ float table[4];
__managed__ long shared_number;

__global__ void scale(int* numbers, int count, double factor) {
  for (int i = 0; i != count; ++i) numbers[i] = static_cast<int>(numbers[i] * factor);
}
__global__ void lonely(int) {}

namespace {

void scale_on_host(const convoy_kernel_launch* launch) {
  int* const numbers = *static_cast<int**>(launch->parameters[0]);
  const int count = *static_cast<int*>(launch->parameters[1]);
  const double factor = *static_cast<double*>(launch->parameters[2]);
  for (int i = 0; i != count; ++i) numbers[i] = static_cast<int>(numbers[i] * factor);
}

void expect(bool fact, const char* what) {
  if (fact) return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::exit(1);
}

void run_kernels() {
  const auto set_kernel =
      reinterpret_cast<decltype(&convoy_set_kernel)>(dlsym(RTLD_DEFAULT, "convoy_set_kernel"));
  expect(set_kernel != nullptr, "Convoy's library is the one that is loaded");
  const size_t sizes[] = {sizeof(int*), sizeof(int), sizeof(double)};
  expect(set_kernel("_Z5scalePiid", scale_on_host, sizes, 3) == cudaSuccess, "kernels can be set");
  int numbers[4] = {1, 2, 3, 4};
  int* device = nullptr;
  cudaMalloc(&device, sizeof numbers);
  cudaMemcpy(device, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  scale<<<2, 64>>>(device, 4, 2.5);
  expect(cudaGetLastError() == cudaSuccess, "a kernel with a function can be launched");
  cudaMemcpy(numbers, device, sizeof numbers, cudaMemcpyDeviceToHost);
  expect(numbers[0] == 2 && numbers[3] == 10, "the function ran before the copy");
  lonely<<<1, 1>>>(1);
  expect(cudaGetLastError() == cudaErrorInvalidDeviceFunction, "one without is refused");
  expect(cudaFree(device) == cudaSuccess, "memory is freed");
}

void use_variables() {
  const int seven = 7;
  int found = 0;
  expect(cudaMemcpyToSymbol(counter, &seven, sizeof seven) == cudaSuccess, "counter is written");
  expect(cudaMemcpyFromSymbol(&found, counter, sizeof found) == cudaSuccess, "counter is read");
  expect(found == 7, "counter is 7");
  const float halves[] = {0.5F, 1.5F};
  expect(cudaMemcpyToSymbol(table, halves, sizeof halves, 8) == cudaSuccess, "table is written");
  size_t size = 0;
  expect(cudaGetSymbolSize(&size, table) == cudaSuccess && size == 16, "table has 16 bytes");
  shared_number = 99;
  void* where = nullptr;
  expect(cudaGetSymbolAddress(&where, shared_number) == cudaSuccess, "managed has an address");
  expect(where == &shared_number, "the address is that of the host");
}

}  // namespace

int main() {
  run_kernels();
  use_variables();
  std::puts("kernels and variables work");
  return 0;
}
