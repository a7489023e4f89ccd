/* Copies blocks with the driver alone, and ends with 0 when every byte arrived. */
#include <cuda.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 100
#define BLOCK_BYTES 64

static void must(CUresult answer) {
  if (answer != CUDA_SUCCESS) exit(1);
}

static void copy_blocks(CUdeviceptr dst, CUdeviceptr src, CUstream stream) {
  CUdeviceptr dsts[BLOCKS];
  CUdeviceptr srcs[BLOCKS];
  size_t sizes[BLOCKS];
  size_t first = 0;
  CUmemcpyAttributes attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  for (size_t i = 0; i != BLOCKS; ++i) {
    dsts[i] = dst + i * BLOCK_BYTES;
    srcs[i] = src + (BLOCKS - 1 - i) * BLOCK_BYTES;
    sizes[i] = BLOCK_BYTES;
  }
  must(cuMemcpyBatchAsync(dsts, srcs, sizes, BLOCKS, &attributes, &first, 1, stream));
}

int main(void) {
  CUcontext context = NULL;
  CUstream stream = NULL;
  CUdeviceptr device = 0;
  char* host = NULL;
  must(cuInit(0));
  must(cuCtxCreate(&context, NULL, 0, 0));
  must(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  must(cuMemAlloc(&device, BLOCKS * BLOCK_BYTES));
  must(cuMemAllocHost((void**)&host, 2 * BLOCKS * BLOCK_BYTES));
  for (size_t i = 0; i != BLOCKS * BLOCK_BYTES; ++i) host[i] = (char)i;

  char* const back = host + BLOCKS * BLOCK_BYTES;
  copy_blocks(device, (CUdeviceptr)host, stream);
  copy_blocks((CUdeviceptr)back, device, stream);
  must(cuStreamSynchronize(stream));

  const int same = memcmp(host, back, BLOCKS * BLOCK_BYTES) == 0;
  must(cuCtxDestroy(context));
  return same ? 0 : 1;
}
