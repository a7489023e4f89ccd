// An AscendCL program whose threads share buffers with Convoy. ThreadSanitizer must have nothing to
// report.
#include <acl/acl.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

namespace {

constexpr size_t large = 4 << 20;

struct buffers {
  explicit buffers(size_t bytes) {
    aclrtMallocHost(reinterpret_cast<void**>(&source), bytes);
    aclrtMallocHost(reinterpret_cast<void**>(&result), bytes);
    aclrtMalloc(reinterpret_cast<void**>(&on_device), bytes, ACL_MEM_MALLOC_HUGE_FIRST);
  }
  ~buffers() {
    aclrtFreeHost(source);
    aclrtFreeHost(result);
    aclrtFree(on_device);
  }
  char *source = nullptr, *result = nullptr, *on_device = nullptr;
};

bool round_trips(size_t bytes, int rounds) {
  const buffers own(bytes);
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  bool right = true;
  for (int i = 0; i != rounds; ++i) {
    std::memset(own.source, i, bytes);
    aclrtMemcpyAsync(own.on_device, bytes, own.source, bytes, ACL_MEMCPY_HOST_TO_DEVICE, stream);
    aclrtMemcpyAsync(own.result, bytes, own.on_device, bytes, ACL_MEMCPY_DEVICE_TO_HOST, stream);
    aclrtSynchronizeStream(stream);
    right &= own.result[bytes - 1] == static_cast<char>(i);
    own.source[0] = 1;
  }
  aclrtDestroyStream(stream);
  return right;
}

bool host_functions(int rounds) {
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  int sum = 0;
  for (int i = 0; i != rounds; ++i) {
    const auto add = [](void* to) { ++*static_cast<int*>(to); };
    aclrtLaunchHostFunc(stream, add, &sum);
    if (i % 3 != 0) continue;
    aclrtSynchronizeStream(stream);
    ++sum;
  }
  aclrtSynchronizeDevice();
  aclrtDestroyStream(stream);
  return sum > rounds;
}

bool events_between_streams(int rounds) {
  const buffers own(large);
  aclrtStream first = nullptr, second = nullptr;
  aclrtCreateStream(&first);
  aclrtCreateStream(&second);
  bool right = true;
  for (int i = 0; i != rounds; ++i) {
    aclrtEvent copied = nullptr;
    aclrtCreateEvent(&copied);
    std::thread submitter([&] {
      aclrtSetDevice(0);
      std::memset(own.source, i, large);
      aclrtMemcpyAsync(own.on_device, large, own.source, large, ACL_MEMCPY_HOST_TO_DEVICE, first);
      aclrtRecordEvent(copied, first);
    });
    submitter.join();
    aclrtStreamWaitEvent(second, copied);
    aclrtMemcpyAsync(own.result, large, own.on_device, large, ACL_MEMCPY_DEVICE_TO_HOST, second);
    aclrtSynchronizeStream(second);
    right &= own.result[7] == static_cast<char>(i);
    own.source[0] = 1;
    aclrtDestroyEvent(copied);
  }
  aclrtDestroyStream(first);
  aclrtDestroyStream(second);
  return right;
}

bool many_threads() {
  std::vector<std::thread> threads;
  std::atomic<bool> right = true;
  for (int t = 0; t != 4; ++t) {
    threads.emplace_back([&] {
      aclrtSetDevice(0);
      if (!round_trips(512, 100) || !host_functions(50)) right = false;
    });
  }
  for (std::thread& each : threads) each.join();
  return right;
}

bool passed(const char* name, bool right) {
  if (!right) std::fprintf(stderr, "%s failed\n", name);
  return right;
}

}  // namespace

int main() {
  if (aclInit(nullptr) != ACL_SUCCESS || aclrtSetDevice(0) != ACL_SUCCESS) return 2;
  bool right = passed("round trips", round_trips(512, 200) && round_trips(large, 20));
  right &= passed("host functions", host_functions(200));
  right &= passed("events", events_between_streams(20));
  right &= passed("threads", many_threads());
  return right ? 0 : 1;
}
