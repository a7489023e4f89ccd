#include <algorithm>
#include <atomic>
#include <cstdint>
#include <random>
#include <thread>

#include "support/cuda.hpp"
#include "support/own_process.hpp"
#include "support/random_arguments.hpp"
#include "support/sanitizers.hpp"

// Programs in the shape of real ones.
namespace convoy::test {
namespace {

// Moves blocks between two caches as inference servers do: one batch for all of a mapping.
class block_mover {
 public:
  block_mover(std::size_t bytes_per_block, cudaStream_t stream)
      : block_(bytes_per_block), stream_(stream) {}

  cudaError_t swap(unsigned char* dst, const unsigned char* src,
                   const std::vector<std::pair<std::size_t, std::size_t>>& mapping) const {
    cuda_batch work;
    for (const auto& [from, to] : mapping) work.add(dst + to * block_, src + from * block_, block_);
    return work.submit(stream_);
  }

 private:
  std::size_t block_;
  cudaStream_t stream_;
};

TEST(CudaSwapBlocks, ManyBlocksGoOutAndBack) {
  constexpr std::size_t count = 60000;
  constexpr std::size_t block = 256;
  const cuda_stream stream(cudaStreamNonBlocking);
  const bytes held = numbered(count * block, 3);
  const cuda_memory host(memory_kind::pinned, held);
  const cuda_memory device(memory_kind::device, bytes(count * block));
  std::vector<std::pair<std::size_t, std::size_t>> out(count);
  for (std::size_t i = 0; i != count; ++i) out[i] = {i, i * 7919 % count};
  std::shuffle(out.begin(), out.end(), std::mt19937(1));
  auto back = out;
  for (auto& [from, to] : back) std::swap(from, to);
  const block_mover mover(block, stream);

  EXPECT_EQ(mover.swap(device.data(), host.data(), out), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(host.data(), 0, host.size(), stream), cudaSuccess);
  EXPECT_EQ(mover.swap(host.data(), device.data(), back), cudaSuccess);

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(host.contents(), held);
}

TEST(CudaSwapBlocks, ManyThreadsMoveBlocks) {
  constexpr std::size_t count = 500;
  constexpr std::size_t block = 512;
  std::atomic<int> wrong = 0;
  const auto swap_out_and_back = [&wrong](unsigned seed) {
    const cuda_stream stream(cudaStreamNonBlocking);
    const bytes held = numbered(count * block, seed);
    const cuda_memory host(memory_kind::pinned, held);
    const cuda_memory device(memory_kind::device, bytes(count * block));
    const block_mover mover(block, stream);
    std::vector<std::pair<std::size_t, std::size_t>> straight(count);
    for (std::size_t i = 0; i != count; ++i) straight[i] = {i, i};
    must(mover.swap(device.data(), host.data(), straight));
    must(cudaMemsetAsync(host.data(), 0, host.size(), stream));
    must(mover.swap(host.data(), device.data(), straight));
    must(cudaStreamSynchronize(stream));
    if (host.contents() != held) ++wrong;
  };

  std::vector<std::thread> threads;
  for (unsigned i = 0; i != 4; ++i) threads.emplace_back(swap_out_and_back, i);
  for (std::thread& each : threads) each.join();

  EXPECT_EQ(wrong, 0);
}

TEST(CudaRandomArguments, BatchCopiesNothing) {
  random_arguments arguments(11);
  for (int i = 0; i != (sanitized ? 500 : 5000); ++i) {
    cuda_batch work(static_cast<cudaMemcpySrcAccessOrder>(arguments.number()));
    for (unsigned n = arguments.number(); n != 0; --n)
      work.add(arguments.pointer(), arguments.pointer(), arguments.size());
    work.add(arguments.pointer(), nullptr, arguments.size());  // always invalid
    work.firsts[0] = arguments.number() / 4;
    EXPECT_NE(work.submit(arguments.stream()), cudaSuccess);
  }

  EXPECT_TRUE(arguments.untouched());
}

TEST(CudaRandomArguments, SingleCallsReturn) {
  random_arguments arguments(12);
  for (int i = 0; i != (sanitized ? 200 : 2000); ++i) {
    void* const p = arguments.pointer();
    const cudaStream_t stream = arguments.stream();
    cudaPointerAttributes attributes = {};
    cudaPointerGetAttributes(&attributes, p);
    cudaStreamQuery(stream);
    cudaStreamWaitEvent(stream, reinterpret_cast<cudaEvent_t>(p), arguments.number());
    cudaEventRecord(reinterpret_cast<cudaEvent_t>(p), stream);
    cudaMemAdvise(p, arguments.size(), static_cast<cudaMemoryAdvise>(arguments.number()), {});
    cudaMemPrefetchAsync(p, arguments.size(), {}, arguments.number(), stream);
    cudaMemPoolTrimTo(reinterpret_cast<cudaMemPool_t>(p), 0);
    cudaHostUnregister(p);
    void* const unaligned = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(p) + 1);
    cudaFree(unaligned);
    cudaFreeAsync(unaligned, stream);
    cudaMemcpyPeerAsync(p, 7, p, 8, arguments.size(), stream);
    cudaLaunchKernel(static_cast<const void*>(p), dim3(1), dim3(1), nullptr, 0, stream);
  }

  EXPECT_TRUE(arguments.untouched());
}

TEST(CudaForkedChild, CallsAnswerInitializationError) {
  const cuda_memory memory(memory_kind::device, bytes(64));
  const cuda_stream stream;

  EXPECT_TRUE(true_in_child([&] {
    int device = 0;
    void* got = nullptr;
    char own[64] = {};
    return cudaGetDevice(&device) == cudaErrorInitializationError &&
           cudaMalloc(&got, 64) == cudaErrorInitializationError &&
           cudaMemcpy(own, memory.data(), 64, cudaMemcpyDefault) == cudaErrorInitializationError &&
           cudaStreamSynchronize(stream) == cudaErrorInitializationError &&
           cudaFree(memory.data()) == cudaErrorInitializationError;
  }));
}

}  // namespace
}  // namespace convoy::test
