// A CUDA program whose threads share buffers with Convoy. ThreadSanitizer must have nothing to
// report.
#include <cuda_runtime.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

namespace {

constexpr size_t large = 4 << 20;

struct buffers {
  explicit buffers(size_t bytes) {
    cudaMallocHost(&source, bytes);
    cudaMallocHost(&result, bytes);
    cudaMalloc(&on_device, bytes);
  }
  ~buffers() {
    cudaFreeHost(source);
    cudaFreeHost(result);
    cudaFree(on_device);
  }
  char *source = nullptr, *result = nullptr, *on_device = nullptr;
};

bool round_trips(size_t bytes, int rounds) {
  const buffers own(bytes);
  std::vector<char> pageable(bytes);
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  bool right = true;
  for (int i = 0; i != rounds; ++i) {
    std::memset(own.source, i, bytes);
    std::memset(pageable.data(), i, bytes);
    cudaMemcpyAsync(own.on_device, own.source, bytes, cudaMemcpyHostToDevice, stream);
    cudaMemcpyAsync(own.result, own.on_device, bytes, cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(own.on_device, pageable.data(), bytes, cudaMemcpyHostToDevice, stream);
    if (i % 2 == 0) {
      cudaStreamSynchronize(stream);
    } else {
      while (cudaStreamQuery(stream) == cudaErrorNotReady) std::this_thread::yield();
    }
    right &= own.result[bytes - 1] == static_cast<char>(i);
    own.source[0] = pageable[0] = 1;
  }
  cudaStreamDestroy(stream);
  return right;
}

bool host_functions(int rounds) {
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  int sum = 0;
  for (int i = 0; i != rounds; ++i) {
    const auto add = [](void* to) { ++*static_cast<int*>(to); };
    cudaLaunchHostFunc(stream, add, &sum);
    const auto callback = [](cudaStream_t, cudaError_t, void* to) { ++*static_cast<int*>(to); };
    cudaStreamAddCallback(stream, callback, &sum, 0);
    if (i % 3 != 0) continue;
    cudaStreamSynchronize(stream);
    ++sum;
  }
  cudaDeviceSynchronize();
  cudaStreamDestroy(stream);
  return sum > 2 * rounds;
}

bool events_between_threads(int rounds) {
  const buffers own(large);
  cudaStream_t first = nullptr, second = nullptr;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  std::atomic<bool> right = true;
  for (int i = 0; i != rounds; ++i) {
    cudaEvent_t copied = nullptr, done = nullptr;
    cudaEventCreateWithFlags(&copied, cudaEventDisableTiming);
    cudaEventCreate(&done);
    std::thread submitter([&] {
      std::memset(own.source, i, large);
      cudaMemcpyAsync(own.on_device, own.source, large, cudaMemcpyDefault, first);
      cudaEventRecord(copied, first);
    });
    submitter.join();
    cudaStreamWaitEvent(second, copied, 0);
    cudaMemcpyAsync(own.result, own.on_device, large, cudaMemcpyDefault, second);
    cudaEventRecord(done, second);
    std::thread waiter([&] {
      cudaEventSynchronize(done);
      if (own.result[7] != static_cast<char>(i)) right = false;
      own.source[0] = 1;
    });
    waiter.join();
    cudaEventDestroy(copied);
    cudaEventDestroy(done);
  }
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return right;
}

bool many_threads() {
  std::vector<std::thread> threads;
  std::atomic<bool> right = true;
  for (int t = 0; t != 4; ++t) {
    threads.emplace_back([&] {
      if (!round_trips(512, 100) || !host_functions(50)) right = false;
      const buffers own(4096);
      std::memset(own.source, 5, 4096);
      cudaMemcpy(own.on_device, own.source, 4096, cudaMemcpyHostToDevice);
      cudaMemcpy(own.result, own.on_device, 4096, cudaMemcpyDeviceToHost);
      if (own.result[4095] != 5) right = false;
      void* ordered = nullptr;
      cudaMallocAsync(&ordered, 4096, cudaStreamPerThread);
      cudaMemsetAsync(ordered, 1, 4096, cudaStreamPerThread);
      cudaFreeAsync(ordered, cudaStreamPerThread);
      cudaStreamSynchronize(cudaStreamPerThread);
    });
  }
  for (std::thread& each : threads) each.join();
  return right;
}

bool bad_pointer_is_error() {
  const buffers own(64);
  void* const bad = reinterpret_cast<void*>(0x7000);
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaError_t code = cudaMemcpyAsync(own.on_device, bad, 64, cudaMemcpyDefault, stream);
  if (code == cudaSuccess) code = cudaStreamSynchronize(stream);
  return code == cudaErrorIllegalAddress;
}

bool passed(const char* name, bool right) {
  if (!right) std::fprintf(stderr, "%s failed\n", name);
  return right;
}

}  // namespace

int main() {
  bool right = passed("round trips", round_trips(512, 200) && round_trips(large, 20));
  right &= passed("host functions", host_functions(300));
  right &= passed("events", events_between_threads(20));
  right &= passed("threads", many_threads());
  right &= passed("bad pointer", bad_pointer_is_error());
  return right ? 0 : 1;
}
