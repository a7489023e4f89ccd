#include "support/cuda.hpp"
#include "support/second_process.hpp"

namespace convoy::test {
namespace {

constexpr std::size_t size = 5000;

// Opens memory and an event, waits for the event, and doubles every byte of the memory.
const role doubles("doubles", [](message_pipe& parent) {
  const auto memory_handle = parent.receive<cudaIpcMemHandle_t>();
  const auto event_handle = parent.receive<cudaIpcEventHandle_t>();
  void* memory = nullptr;
  cudaEvent_t event = nullptr;
  EXPECT_EQ(cudaIpcOpenMemHandle(&memory, memory_handle, cudaIpcMemLazyEnablePeerAccess),
            cudaSuccess);
  EXPECT_EQ(cudaIpcOpenEventHandle(&event, event_handle), cudaSuccess);
  const cuda_stream stream;
  parent.send(cudaEventQuery(event));
  EXPECT_EQ(cudaStreamWaitEvent(stream, event, 0), cudaSuccess);
  bytes found(size);
  EXPECT_EQ(cudaMemcpyAsync(found.data(), memory, size, cudaMemcpyDefault, stream), cudaSuccess);
  for (unsigned char& each : found) each = static_cast<unsigned char>(each * 2);
  EXPECT_EQ(cudaMemcpyAsync(memory, found.data(), size, cudaMemcpyDefault, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaIpcCloseMemHandle(memory), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  parent.send(true);
});

TEST(CudaIpc, ProcessesShareBytesInOrder) {
  const cuda_stream stream;
  const cuda_memory memory(memory_kind::device, bytes(size, 1));
  const cuda_event event(cudaEventInterprocess | cudaEventDisableTiming);
  cudaIpcMemHandle_t memory_handle = {};
  cudaIpcEventHandle_t event_handle = {};
  EXPECT_EQ(cudaIpcGetMemHandle(&memory_handle, memory.data()), cudaSuccess);
  EXPECT_EQ(cudaIpcGetEventHandle(&event_handle, event), cudaSuccess);
  cuda_gate closed(stream);
  EXPECT_EQ(cudaMemsetAsync(memory.data(), 21, size, stream), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);

  second_process other("doubles");
  other.send(memory_handle);
  other.send(event_handle);
  EXPECT_EQ(other.receive<cudaError_t>(), cudaErrorNotReady);
  closed.open();

  EXPECT_TRUE(other.receive<bool>());
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(memory.contents(), bytes(size, 42));
}

const role opens_twice("opens_twice", [](message_pipe& parent) {
  const auto handle = parent.receive<cudaIpcMemHandle_t>();
  void* one = nullptr;
  void* two = nullptr;
  EXPECT_EQ(cudaIpcOpenMemHandle(&one, handle, cudaIpcMemLazyEnablePeerAccess), cudaSuccess);
  EXPECT_EQ(cudaIpcOpenMemHandle(&two, handle, cudaIpcMemLazyEnablePeerAccess), cudaSuccess);
  EXPECT_EQ(one, two);
  EXPECT_EQ(cudaFree(one), cudaErrorInvalidValue);
  EXPECT_EQ(cudaIpcCloseMemHandle(one), cudaSuccess);
  EXPECT_EQ(contents_of(one, size), numbered(size));
  EXPECT_EQ(cudaIpcCloseMemHandle(one), cudaSuccess);
  EXPECT_EQ(cudaIpcCloseMemHandle(one), cudaErrorInvalidValue);
  parent.send(true);
});

TEST(CudaIpc, OpensAreCounted) {
  const cuda_memory memory(memory_kind::device, numbered(size));
  cudaIpcMemHandle_t handle = {};
  must(cudaIpcGetMemHandle(&handle, memory.data()));

  second_process other("opens_twice");
  other.send(handle);

  EXPECT_TRUE(other.receive<bool>());
}

TEST(CudaIpc, OwnHandleIsRefused) {
  const cuda_memory memory(memory_kind::device, bytes(size));
  cudaIpcMemHandle_t handle = {};
  void* got = nullptr;
  must(cudaIpcGetMemHandle(&handle, memory.data()));

  EXPECT_EQ(cudaIpcOpenMemHandle(&got, handle, cudaIpcMemLazyEnablePeerAccess),
            cudaErrorDeviceUninitialized);
}

TEST(CudaIpc, HandleNeedsStartOfAllocation) {
  const cuda_memory memory(memory_kind::device, bytes(size));
  const cuda_memory pinned(memory_kind::pinned, bytes(size));
  cudaIpcMemHandle_t handle = {};

  EXPECT_EQ(cudaIpcGetMemHandle(&handle, memory.data() + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaIpcGetMemHandle(&handle, pinned.data()), cudaErrorInvalidValue);
  EXPECT_EQ(cudaIpcGetMemHandle(nullptr, memory.data()), cudaErrorInvalidValue);
}

TEST(CudaIpc, UnknownHandleIsRefused) {
  const cudaIpcMemHandle_t none = {};
  const cudaIpcEventHandle_t neither = {};
  void* got = nullptr;
  cudaEvent_t event = nullptr;

  EXPECT_EQ(cudaIpcOpenMemHandle(&got, none, cudaIpcMemLazyEnablePeerAccess),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaIpcOpenMemHandle(&got, none, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaIpcOpenEventHandle(&event, neither), cudaErrorInvalidValue);
}

TEST(CudaIpc, EventNeedsInterprocessFlag) {
  const cuda_event plain;
  cudaIpcEventHandle_t handle = {};

  EXPECT_EQ(cudaIpcGetEventHandle(&handle, plain), cudaErrorInvalidResourceHandle);
}

}  // namespace
}  // namespace convoy::test
