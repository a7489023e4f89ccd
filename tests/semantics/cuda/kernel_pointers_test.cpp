#include "support/cuda_kernels.hpp"
#include "support/own_process.hpp"

namespace convoy::test {
namespace {

constexpr const char* increment_name = "increment";

// Adds one to each of `count` bytes.
void increment(const convoy_kernel_launch* launch) {
  auto* const start = *static_cast<unsigned char**>(launch->parameters[0]);
  const std::size_t count = *static_cast<std::size_t*>(launch->parameters[1]);
  for (std::size_t i = 0; i != count; ++i) ++start[i];
}

std::size_t extent_of_increment(const convoy_kernel_launch* launch, std::size_t /*parameter*/) {
  return *static_cast<std::size_t*>(launch->parameters[1]);
}

const kernel_function::parameters as_pointer = {{sizeof(void*), convoy_kernel_reads_and_writes},
                                                {sizeof(std::size_t), convoy_kernel_value}};
const kernel_function::parameters as_value = {{sizeof(void*), convoy_kernel_value},
                                              {sizeof(std::size_t), convoy_kernel_value}};

cudaError_t launch_increment(void* start, std::size_t count, cudaStream_t stream) {
  void* parameters[] = {&start, &count};
  return launch(kernel_named(increment_name), parameters, stream);
}

class KernelPointers : public own_process {
 protected:
  static void isolate() { ::setenv("CONVOY_ISOLATE", "1", 1); }
};

TEST_F(KernelPointers, DeclaredOnesAreTranslated) {
  EXPECT_EXIT(
      {
        isolate();
        const kernel_function function(increment_name, increment, as_pointer);
        const cuda_stream stream;
        const cuda_memory memory(memory_kind::device, bytes(100, 7));
        must(launch_increment(memory.data() + 50, 50, stream));
        must(cudaStreamSynchronize(stream));
        bytes wanted(100, 7);
        std::fill(wanted.begin() + 50, wanted.end(), 8);
        end_well_if(memory.contents() == wanted);
      },
      ended_well, "");
}

TEST_F(KernelPointers, UndeclaredOnesAreInaccessible) {
  EXPECT_EXIT(
      {
        isolate();
        const kernel_function function(increment_name, increment, as_value);
        const cuda_memory memory(memory_kind::device, bytes(100, 7));
        must(launch_increment(memory.data(), 100, nullptr));
        cudaDeviceSynchronize();
      },
      died, "host code touched 0x[0-9a-f]+, which is byte 0 of the 100 bytes");
}

// Follows a pointer in a structure to a pointer in memory.
struct nested {
  int before;
  unsigned char** table;
};

void increment_nested(const convoy_kernel_launch* launch) {
  const auto* const found = static_cast<const nested*>(launch->parameters[0]);
  auto* const* const table =
      static_cast<unsigned char**>(convoy_kernel_pointer(launch, found->table));
  ++*static_cast<unsigned char*>(convoy_kernel_pointer(launch, table[1]));
}

bool increments_through_table() {
  const kernel_function function("nested", increment_nested,
                                 {{sizeof(nested), convoy_kernel_value}});
  const cuda_memory target(memory_kind::device, bytes(1, 4));
  const void* pointers[] = {nullptr, target.data()};
  const cuda_memory table(memory_kind::device, bytes(sizeof pointers));
  must(cudaMemcpy(table.data(), pointers, sizeof pointers, cudaMemcpyHostToDevice));
  nested value{1, reinterpret_cast<unsigned char**>(table.data())};
  void* parameters[] = {&value};
  must(launch(kernel_named("nested"), parameters, nullptr));
  must(cudaDeviceSynchronize());
  return target.contents() == bytes(1, 5);
}

TEST_F(KernelPointers, FunctionTranslatesOnesItFinds) {
  EXPECT_EXIT(
      {
        isolate();
        end_well_if(increments_through_table());
      },
      ended_well, "");
}

TEST_F(KernelPointers, HostMemoryKeepsItsAddress) {
  EXPECT_EXIT(
      {
        isolate();
        const kernel_function function(increment_name, increment, as_pointer);
        const cuda_memory pinned(memory_kind::pinned, bytes(10, 1));
        unsigned char local = 1;
        must(launch_increment(pinned.data(), 10, nullptr));
        must(launch_increment(&local, 1, nullptr));
        must(launch_increment(nullptr, 0, nullptr));
        must(cudaDeviceSynchronize());
        end_well_if(pinned.contents() == bytes(10, 2) && local == 2);
      },
      ended_well, "");
}

TEST_F(KernelPointers, MemoryFreedLaterIsAccessible) {
  EXPECT_EXIT(
      {
        isolate();
        const kernel_function function(increment_name, increment, as_pointer);
        const cuda_stream stream(cudaStreamNonBlocking);
        void* memory = nullptr;
        must(cudaMallocAsync(&memory, 64, stream));
        {
          cuda_gate closed(stream);
          must(launch_increment(memory, 64, stream));
          must(cudaFreeAsync(memory, stream));
          closed.open();
        }
        end_well_if(cudaStreamSynchronize(stream) == cudaSuccess);
      },
      ended_well, "");
}

class KernelRanges : public testing::Test {
 protected:
  const kernel_function function{increment_name, increment, as_pointer, nullptr,
                                 extent_of_increment};
  const cuda_stream stream;
  const cuda_memory memory{memory_kind::device, bytes(100)};
};

TEST_F(KernelRanges, WholeAllocationIsAccepted) {
  EXPECT_EQ(launch_increment(memory.data(), 100, stream), cudaSuccess);

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(memory.contents(), bytes(100, 1));
}

TEST_F(KernelRanges, ByteBehindAllocationIsRefused) {
  const cudaLogIterator before = log_position<runtime_api>();

  EXPECT_EQ(launch_increment(memory.data() + 1, 100, stream), cudaErrorIllegalAddress);

  EXPECT_NE(log_since<runtime_api>(before).find("kernel increment accesses 100 bytes"),
            std::string::npos);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(memory.contents(), bytes(100));
}

TEST_F(KernelRanges, FreedAndNullMemoryAreRefused) {
  void* freed = nullptr;
  must(cudaMalloc(&freed, 64));
  must(cudaFree(freed));

  EXPECT_EQ(launch_increment(freed, 1, stream), cudaErrorIllegalAddress);
  EXPECT_EQ(launch_increment(nullptr, 1, stream), cudaErrorIllegalAddress);
}

TEST_F(KernelRanges, EmptyOnesAreNotChecked) {
  EXPECT_EQ(launch_increment(nullptr, 0, stream), cudaSuccess);

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
}

TEST(KernelLaunch, TellsNameUserAndParameters) {
  struct seen {
    std::string name;
    std::size_t parameters = 0;
  } found;
  const auto look = [](const convoy_kernel_launch* launch) {
    *static_cast<seen*>(launch->user) = {launch->name, launch->parameter_count};
  };
  const kernel_function function("*increment*", look, as_value, &found);

  EXPECT_EQ(launch_increment(nullptr, 0, nullptr), cudaSuccess);

  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(found.name, increment_name);
  EXPECT_EQ(found.parameters, 2U);
}

TEST(KernelLaunch, FunctionMustNotWait) {
  cudaError_t answer = cudaSuccess;
  const auto wait = [](const convoy_kernel_launch* launch) {
    *static_cast<cudaError_t*>(launch->user) = cudaDeviceSynchronize();
  };
  const kernel_function function("waits", wait, {}, &answer);

  EXPECT_EQ(launch("waits"), cudaSuccess);

  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(answer, cudaErrorNotPermitted);
}

}  // namespace
}  // namespace convoy::test
