// The headers of both front ends in one file, AscendCL's first. Compiling is the test; the other
// order is in tests/semantics/front_ends.
#include <acl/acl.h>
#include <cuda.h>
#include <cuda_runtime.h>

static_assert(sizeof(dim3) == 12);

__host__ __device__ inline unsigned volume(const dim3& extent) {
  return extent.x * extent.y * extent.z;
}

__global__ void kernel(int*) {}

void CUDART_CB on_host(void*) {}
cudaError_t CUDARTAPI launch(cudaStream_t stream) {
  return volume(dim3(1, 2, 3)) == 6 ? cudaLaunchHostFunc(stream, on_host, nullptr)
                                    : cudaErrorUnknown;
}
void CUDA_CB on_driver(void*) {}
CUresult CUDAAPI launch_driver(CUstream stream) {
  return cuLaunchHostFunc(stream, on_driver, nullptr);
}
