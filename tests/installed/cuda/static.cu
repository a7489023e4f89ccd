// The smallest program that starts the CUDA runtime.
#include <cuda_runtime_api.h>

int main() {
  void* memory = nullptr;
  return cudaMalloc(&memory, 16) == cudaSuccess ? 0 : 1;
}
