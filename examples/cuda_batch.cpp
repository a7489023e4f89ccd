// A CUDA program: scattered cache blocks go to the device in one batch and come back in another.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr size_t block = 4096;
constexpr size_t blocks = 1000;

void must(cudaError_t answer) {
  if (answer == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(answer));
  std::exit(1);
}

// One batch for all blocks: block i of `src` goes to block (7 * i) % blocks of `dst`, or back.
void swap_blocks(char* dst, char* src, bool back, cudaStream_t stream) {
  std::vector<void*> dsts;
  std::vector<const void*> srcs;
  for (size_t i = 0; i != blocks; ++i) {
    const size_t far = 7 * i % blocks;
    dsts.push_back(dst + (back ? i : far) * block);
    srcs.push_back(src + (back ? far : i) * block);
  }
  const std::vector<size_t> sizes(blocks, block);
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  size_t first = 0;
  must(cudaMemcpyBatchAsync(dsts.data(), srcs.data(), sizes.data(), blocks, &attributes, &first, 1,
                            stream));
}

}  // namespace

int main() {
  char *host = nullptr, *device = nullptr;
  cudaStream_t stream = nullptr;
  must(cudaMallocHost(&host, block * blocks));
  must(cudaMalloc(&device, block * blocks));
  must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (size_t i = 0; i != blocks; ++i)
    std::memset(host + i * block, static_cast<int>(i % 100), block);

  swap_blocks(device, host, false, stream);
  must(cudaMemsetAsync(host, 0xFF, block * blocks, stream));
  swap_blocks(host, device, true, stream);
  must(cudaStreamSynchronize(stream));

  size_t wrong = 0;
  for (size_t i = 0; i != blocks * block; ++i)
    wrong += host[i] != static_cast<char>(i / block % 100);
  std::printf("%zu blocks went out and came back, %zu bytes are wrong\n", blocks, wrong);
  return wrong == 0 ? 0 : 1;
}
