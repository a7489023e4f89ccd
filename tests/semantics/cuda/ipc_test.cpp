#include "support/cuda_driver.hpp"
#include "support/second_process.hpp"

namespace convoy::test {
namespace {

constexpr std::size_t size = 5000;

// Opens memory and an event, waits for the event, and doubles every byte of the memory.
template <class Api>
void double_bytes(message_pipe& parent) {
  [[maybe_unused]] const typename Api::scope scope{};
  const auto memory_handle = parent.receive<typename Api::memory_handle>();
  const auto event_handle = parent.receive<typename Api::event_handle>();
  void* memory = nullptr;
  cudaEvent_t event = nullptr;
  EXPECT_EQ(Api::open_memory(&memory, memory_handle), Api::success);
  EXPECT_EQ(Api::open_event(&event, event_handle), Api::success);
  const api_stream<Api> stream;
  parent.send(Api::query_event(event));
  EXPECT_EQ(Api::wait(stream, event, 0), Api::success);
  bytes found(size);
  EXPECT_EQ(Api::copy_async(found.data(), memory, size, stream), Api::success);
  for (unsigned char& each : found) each = static_cast<unsigned char>(each * 2);
  EXPECT_EQ(Api::copy_async(memory, found.data(), size, stream), Api::success);
  EXPECT_EQ(Api::synchronize(stream), Api::success);
  EXPECT_EQ(Api::close_memory(memory), Api::success);
  EXPECT_EQ(Api::destroy_event(event), Api::success);
  parent.send(true);
}

// Opens memory twice and closes it twice.
template <class Api>
void open_twice(message_pipe& parent) {
  [[maybe_unused]] const typename Api::scope scope{};
  const auto handle = parent.receive<typename Api::memory_handle>();
  void* one = nullptr;
  void* two = nullptr;
  EXPECT_EQ(Api::open_memory(&one, handle), Api::success);
  EXPECT_EQ(Api::open_memory(&two, handle), Api::success);
  EXPECT_EQ(one, two);
  EXPECT_EQ(Api::free(one), Api::invalid_value);
  EXPECT_EQ(Api::close_memory(one), Api::success);
  EXPECT_EQ(read_memory<Api>(one, size), numbered(size));
  EXPECT_EQ(Api::close_memory(one), Api::success);
  EXPECT_EQ(Api::close_memory(one), Api::invalid_value);
  parent.send(true);
}

const role runtime_doubles("runtime doubles", double_bytes<runtime_api>);
const role driver_doubles("driver doubles", double_bytes<driver_api>);
const role runtime_opens("runtime opens", open_twice<runtime_api>);
const role driver_opens("driver opens", open_twice<driver_api>);

template <class Api>
class CudaIpc : public cuda_test<Api> {
 protected:
  static std::string role_name(const char* role) { return std::string(Api::name) + ' ' + role; }
};
TYPED_TEST_SUITE(CudaIpc, cuda_apis, api_names);

TYPED_TEST(CudaIpc, ProcessesShareBytesInOrder) {
  const api_stream<TypeParam> stream;
  const api_memory<TypeParam> memory(memory_kind::device, bytes(size, 1));
  const api_event<TypeParam> event(cudaEventInterprocess | cudaEventDisableTiming);
  typename TypeParam::memory_handle memory_handle = {};
  typename TypeParam::event_handle event_handle = {};
  EXPECT_EQ(TypeParam::get_memory_handle(&memory_handle, memory.data()), TypeParam::success);
  EXPECT_EQ(TypeParam::get_event_handle(&event_handle, event), TypeParam::success);
  api_gate<TypeParam> closed(stream);
  EXPECT_EQ(TypeParam::fill_async(memory.data(), 21, size, stream), TypeParam::success);
  EXPECT_EQ(TypeParam::record(event, stream), TypeParam::success);

  second_process other(this->role_name("doubles").c_str());
  other.send(memory_handle);
  other.send(event_handle);
  EXPECT_EQ(other.receive<typename TypeParam::result>(), TypeParam::not_ready);
  closed.open();

  EXPECT_TRUE(other.receive<bool>());
  EXPECT_EQ(TypeParam::synchronize(stream), TypeParam::success);
  EXPECT_EQ(memory.contents(), bytes(size, 42));
}

TYPED_TEST(CudaIpc, OpensAreCounted) {
  const api_memory<TypeParam> memory(memory_kind::device, numbered(size));
  typename TypeParam::memory_handle handle = {};
  must(TypeParam::get_memory_handle(&handle, memory.data()));

  second_process other(this->role_name("opens").c_str());
  other.send(handle);

  EXPECT_TRUE(other.receive<bool>());
}

TYPED_TEST(CudaIpc, PointerInsideGivesHandleOfStart) {
  const api_memory<TypeParam> memory(memory_kind::device, numbered(size));
  typename TypeParam::memory_handle start = {};
  typename TypeParam::memory_handle inside = {};
  must(TypeParam::get_memory_handle(&start, memory.data()));

  EXPECT_EQ(TypeParam::get_memory_handle(&inside, memory.data() + 100), TypeParam::success);

  EXPECT_EQ(std::memcmp(&start, &inside, sizeof start), 0);
  second_process other(this->role_name("opens").c_str());
  other.send(inside);
  EXPECT_TRUE(other.receive<bool>());
}

TYPED_TEST(CudaIpc, HandleNeedsDeviceMemory) {
  const api_memory<TypeParam> memory(memory_kind::device, bytes(size));
  const api_memory<TypeParam> pinned(memory_kind::pinned, bytes(size));
  typename TypeParam::memory_handle handle = {};

  EXPECT_EQ(TypeParam::get_memory_handle(&handle, &handle), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::get_memory_handle(&handle, pinned.data()), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::get_memory_handle(nullptr, memory.data()), TypeParam::invalid_value);
}

TYPED_TEST(CudaIpc, UnknownHandleIsRefused) {
  const typename TypeParam::memory_handle memory_handle = {};
  const typename TypeParam::event_handle event_handle = {};
  void* start = nullptr;
  cudaEvent_t event = nullptr;

  EXPECT_EQ(TypeParam::open_memory(&start, memory_handle), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::open_event(&event, event_handle), TypeParam::invalid_value);
}

TYPED_TEST(CudaIpc, EventNeedsInterprocessFlag) {
  const api_event<TypeParam> plain;
  typename TypeParam::event_handle handle = {};

  EXPECT_EQ(TypeParam::get_event_handle(&handle, plain), TypeParam::invalid_handle);
}

TEST(CudaIpcOpen, OwnHandleIsRefused) {
  const cuda_memory memory(memory_kind::device, bytes(size));
  cudaIpcMemHandle_t handle = {};
  void* start = nullptr;
  must(cudaIpcGetMemHandle(&handle, memory.data()));

  EXPECT_EQ(cudaIpcOpenMemHandle(&start, handle, cudaIpcMemLazyEnablePeerAccess),
            cudaErrorDeviceUninitialized);
}

TEST(CudaIpcOpen, FlagsAreChecked) {
  const cudaIpcMemHandle_t unknown = {};
  void* start = nullptr;

  EXPECT_EQ(cudaIpcOpenMemHandle(&start, unknown, 0), cudaErrorInvalidValue);
}

}  // namespace
}  // namespace convoy::test
