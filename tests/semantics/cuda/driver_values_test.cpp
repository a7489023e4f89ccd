#include <atomic>

#include "support/cuda_driver.hpp"

namespace convoy::test {
namespace {

constexpr std::size_t size = 64;

class DriverValues : public in_primary_context {
 protected:
  // A write by the host.
  void write(std::uint32_t value) {
    std::atomic_ref(*reinterpret_cast<std::uint32_t*>(value_memory.data())).store(value);
  }
  [[nodiscard]] std::uint64_t read() const {
    return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(value_memory.data())).load();
  }
  void fill_after(CUstream to) { must(cuMemsetD8Async(target, 1, size, to)); }

  const driver_stream stream;
  const driver_pinned value_memory{bytes(8)};
  const driver_memory target{bytes(size)};
};

TEST_F(DriverValues, WriteIsInStreamOrder) {
  driver_gate closed(stream);

  EXPECT_EQ(cuStreamWriteValue64(stream, value_memory, 0x1122334455667788, 0), CUDA_SUCCESS);

  EXPECT_EQ(read(), 0U);
  closed.open();
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(read(), 0x1122334455667788U);
}

TEST_F(DriverValues, FourByteWriteKeepsOtherFour) {
  must(cuStreamWriteValue64(stream, value_memory, UINT64_MAX, 0));

  EXPECT_EQ(cuStreamWriteValue32(stream, value_memory, 7, 0), CUDA_SUCCESS);

  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(read(), 0xFFFFFFFF00000007U);
}

TEST_F(DriverValues, HostWriteEndsWait) {
  EXPECT_EQ(cuStreamWaitValue32(stream, value_memory, 5, CU_STREAM_WAIT_VALUE_GEQ), CUDA_SUCCESS);
  fill_after(stream);

  EXPECT_EQ(target.contents(), bytes(size));
  EXPECT_EQ(cuStreamQuery(stream), CUDA_ERROR_NOT_READY);
  write(6);
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(target.contents(), bytes(size, 1));
}

TEST_F(DriverValues, WaitOrdersTwoStreams) {
  const driver_stream writer;
  driver_gate closed(writer);
  EXPECT_EQ(cuStreamWaitValue64(stream, value_memory, 9, CU_STREAM_WAIT_VALUE_EQ), CUDA_SUCCESS);
  fill_after(stream);

  EXPECT_EQ(cuStreamWriteValue64(writer, value_memory, 9, 0), CUDA_SUCCESS);

  EXPECT_EQ(target.contents(), bytes(size));
  closed.open();
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(target.contents(), bytes(size, 1));
}

struct value_test {
  unsigned flags;
  std::uint32_t value;
  std::uint32_t fails;
  std::uint32_t passes;
};

class DriverValueTests : public DriverValues, public testing::WithParamInterface<value_test> {};

TEST_P(DriverValueTests, WaitEndsWhenTestPasses) {
  const auto& [flags, value, fails, passes] = GetParam();
  write(fails);
  EXPECT_EQ(cuStreamWaitValue32(stream, value_memory, value, flags), CUDA_SUCCESS);
  fill_after(stream);

  EXPECT_EQ(target.contents(), bytes(size));
  write(passes);

  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(target.contents(), bytes(size, 1));
}

INSTANTIATE_TEST_SUITE_P(All, DriverValueTests,
                         testing::Values(value_test{CU_STREAM_WAIT_VALUE_GEQ, 5, 4, 5},
                                         value_test{CU_STREAM_WAIT_VALUE_GEQ, 1, 0xFFFFFFFF, 2},
                                         value_test{CU_STREAM_WAIT_VALUE_EQ, 5, 6, 5},
                                         value_test{CU_STREAM_WAIT_VALUE_AND, 6, 1, 2},
                                         value_test{CU_STREAM_WAIT_VALUE_NOR, 0xFFFFFFF0, 0xF,
                                                    0x7}));

TEST_F(DriverValues, BatchRunsInOrder) {
  CUstreamBatchMemOpParams list[2] = {};
  list[0].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  list[0].waitValue.address = value_memory;
  list[0].waitValue.value = 1;
  list[1].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
  list[1].writeValue.address = value_memory;
  list[1].writeValue.value64 = 42;

  EXPECT_EQ(cuStreamBatchMemOp(stream, 2, list, 0), CUDA_SUCCESS);

  EXPECT_EQ(read(), 0U);
  write(1);
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(read(), 42U);
}

TEST_F(DriverValues, BatchWithBadEntryDoesNothing) {
  CUstreamBatchMemOpParams list[2] = {};
  list[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  list[0].writeValue.address = value_memory;
  list[0].writeValue.value = 1;
  list[1].writeValue = list[0].writeValue;
  list[1].writeValue.address = value_memory + 1;

  EXPECT_EQ(cuStreamBatchMemOp(stream, 2, list, 0), CUDA_ERROR_INVALID_VALUE);

  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(read(), 0U);
}

TEST_F(DriverValues, UnknownWaitFlagsAreRefused) {
  EXPECT_EQ(cuStreamWaitValue32(stream, value_memory, 1, ~0U), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuStreamWaitValue64(stream, value_memory, 1, ~0U), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuStreamWaitValue32(stream, value_memory, 1, CU_STREAM_WAIT_VALUE_FLUSH),
            CUDA_ERROR_NOT_SUPPORTED);
}

TEST_F(DriverValues, UnknownOrMisalignedMemoryIsRefused) {
  alignas(8) std::uint64_t pageable = 0;

  EXPECT_EQ(cuStreamWriteValue32(stream, address(&pageable), 1, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuStreamWaitValue32(stream, value_memory + 2, 1, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuStreamWaitValue64(stream, value_memory + 4, 1, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuStreamWaitValue32(stream, value_memory, 1, 4), CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace convoy::test
