// g++ -std=c++17 cuda_batch.cpp -o cuda_batch $(pkg-config --cflags --libs convoy-cudart)
//
// A CUDA program: 1000 cache blocks go to scattered blocks of device memory in one batch and come
// back in another.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr size_t block = 4096;
constexpr size_t blocks = 1000;

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

enum class direction { to_device, to_host };

// Copies all blocks as one batch: block i of the host is block (7 * i) % blocks of the device.
void copy_blocks(char* dst, char* src, direction way, cudaStream_t stream) {
  std::vector<void*> dsts;
  std::vector<const void*> srcs;
  for (size_t i = 0; i != blocks; ++i) {
    const size_t scattered = 7 * i % blocks;
    const bool to_device = way == direction::to_device;
    dsts.push_back(dst + (to_device ? scattered : i) * block);
    srcs.push_back(src + (to_device ? i : scattered) * block);
  }
  const std::vector<size_t> sizes(blocks, block);
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  size_t first = 0;
  check(cudaMemcpyBatchAsync(dsts.data(), srcs.data(), sizes.data(), blocks, &attributes, &first, 1,
                             stream));
}

}  // namespace

int main() {
  char *host = nullptr, *device = nullptr;
  cudaStream_t stream = nullptr;
  check(cudaMallocHost(&host, block * blocks));
  check(cudaMalloc(&device, block * blocks));
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (size_t i = 0; i != blocks; ++i)
    std::memset(host + i * block, static_cast<int>(i % 100), block);

  copy_blocks(device, host, direction::to_device, stream);
  check(cudaMemsetAsync(host, 0xFF, block * blocks, stream));
  copy_blocks(host, device, direction::to_host, stream);
  check(cudaStreamSynchronize(stream));

  size_t wrong = 0;
  for (size_t i = 0; i != blocks * block; ++i)
    wrong += host[i] != static_cast<char>(i / block % 100);
  std::printf("%zu blocks copied to the device and back, %zu wrong bytes\n", blocks, wrong);
  return wrong == 0 ? 0 : 1;
}
