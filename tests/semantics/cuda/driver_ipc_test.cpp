#include "support/cuda_driver.hpp"
#include "support/second_process.hpp"

namespace convoy::test {
namespace {

constexpr std::size_t size = 5000;

// Opens memory and an event, waits for the event, and fills the memory in another process.
const role fills("fills", [](message_pipe& parent) {
  const auto memory_handle = parent.receive<CUipcMemHandle>();
  const auto event_handle = parent.receive<CUipcEventHandle>();
  CUdeviceptr memory = 0;
  CUevent event = nullptr;
  const primary_context primary(0);
  const pushed here(primary);
  EXPECT_EQ(cuIpcOpenMemHandle(&memory, memory_handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS),
            CUDA_SUCCESS);
  EXPECT_EQ(cuIpcOpenEventHandle(&event, event_handle), CUDA_SUCCESS);
  const driver_stream stream;
  parent.send(cuEventQuery(event));
  EXPECT_EQ(cuStreamWaitEvent(stream, event, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuMemsetD8Async(memory, 2, size / 2, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(cuIpcCloseMemHandle(memory), CUDA_SUCCESS);
  EXPECT_EQ(cuEventDestroy(event), CUDA_SUCCESS);
  parent.send(true);
});

class DriverIpc : public in_primary_context {};

TEST_F(DriverIpc, ProcessesShareBytesInOrder) {
  const driver_stream stream;
  const driver_memory memory{bytes(size)};
  const driver_event event(CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING);
  CUipcMemHandle memory_handle = {};
  CUipcEventHandle event_handle = {};
  EXPECT_EQ(cuIpcGetMemHandle(&memory_handle, memory), CUDA_SUCCESS);
  EXPECT_EQ(cuIpcGetEventHandle(&event_handle, event), CUDA_SUCCESS);
  driver_gate closed(stream);
  must(cuMemsetD8Async(memory, 1, size, stream));
  must(cuEventRecord(event, stream));

  second_process other("fills");
  other.send(memory_handle);
  other.send(event_handle);
  EXPECT_EQ(other.receive<CUresult>(), CUDA_ERROR_NOT_READY);
  closed.open();

  EXPECT_TRUE(other.receive<bool>());
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  bytes wanted(size, 1);
  std::fill_n(wanted.begin(), size / 2, 2);
  EXPECT_EQ(memory.contents(), wanted);
}

TEST_F(DriverIpc, HandleNeedsStartOfAllocation) {
  const driver_memory memory{bytes(size)};
  CUipcMemHandle handle = {};

  EXPECT_EQ(cuIpcGetMemHandle(&handle, memory + 256), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverIpc, EventNeedsInterprocessFlag) {
  const driver_event event;
  CUipcEventHandle handle = {};

  EXPECT_NE(cuIpcGetEventHandle(&handle, event), CUDA_SUCCESS);
}

}  // namespace
}  // namespace convoy::test
