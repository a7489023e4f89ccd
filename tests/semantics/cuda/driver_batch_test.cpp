#include "support/cuda_driver.hpp"
#include "support/unmapped_page.hpp"

namespace convoy::test {
namespace {

constexpr std::size_t size = 6400;
constexpr std::size_t block = 64;
constexpr std::size_t blocks = size / block;
constexpr std::size_t no_copy = SIZE_MAX;

// The form of CUDA 12.8, which newer headers do not declare.
using older_form = CUresult (*)(CUdeviceptr*, CUdeviceptr*, std::size_t*, std::size_t,
                                CUmemcpyAttributes*, std::size_t*, std::size_t, std::size_t*,
                                CUstream);

older_form older_batch(cuuint64_t flags = 0) {
  void* found = nullptr;
  must(cuGetProcAddress("cuMemcpyBatchAsync", &found, 12080, flags, nullptr));
  return reinterpret_cast<older_form>(found);
}

class DriverBatch : public in_primary_context {
 protected:
  driver_batch blocks_of(CUmemcpySrcAccessOrder order = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM) {
    driver_batch made(order);
    made.add_blocks(target, source, block, blocks);
    return made;
  }

  CUresult submit_older(driver_batch& work, CUstream to, cuuint64_t flags = 0) {
    return older_batch(flags)(work.dsts.data(), work.srcs.data(), work.sizes.data(),
                              work.sizes.size(), work.attributes.data(), work.firsts.data(),
                              work.firsts.size(), &fail_idx, to);
  }

  const driver_stream stream;
  const driver_pinned source{numbered(size, 1)};
  const driver_memory target{bytes(size)};
  std::size_t fail_idx = 77;
};

TEST_F(DriverBatch, OlderFormLandsInStreamOrder) {
  driver_batch work = blocks_of();
  driver_gate closed(stream);

  EXPECT_EQ(submit_older(work, stream), CUDA_SUCCESS);

  EXPECT_EQ(target.contents(), bytes(size));
  closed.open();
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(target.contents(), numbered(size, 1));
}

TEST_F(DriverBatch, FailIdxNamesBadCopy) {
  driver_batch work = blocks_of();
  work.sizes[17] = 0;

  EXPECT_EQ(submit_older(work, stream), CUDA_ERROR_INVALID_VALUE);

  EXPECT_EQ(fail_idx, 17U);
  EXPECT_EQ(target.contents(), bytes(size));
}

TEST_F(DriverBatch, BadRunsNameNoCopy) {
  driver_batch work = blocks_of();
  work.firsts[0] = 1;

  EXPECT_EQ(submit_older(work, stream), CUDA_ERROR_INVALID_VALUE);

  EXPECT_EQ(fail_idx, no_copy);
}

TEST_F(DriverBatch, FailIdxMayBeNull) {
  driver_batch work = blocks_of();
  work.srcs[3] = 0;

  EXPECT_EQ(older_batch()(work.dsts.data(), work.srcs.data(), work.sizes.data(), blocks,
                          work.attributes.data(), work.firsts.data(), 1, nullptr, stream),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverBatch, SuccessLeavesFailIdxUnchanged) {
  driver_batch work = blocks_of();

  EXPECT_EQ(submit_older(work, stream), CUDA_SUCCESS);

  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(fail_idx, 77U);
}

TEST_F(DriverBatch, OlderFormRefusesLegacyStream) {
  driver_batch work = blocks_of();

  EXPECT_EQ(submit_older(work, nullptr), CUDA_ERROR_INVALID_VALUE);

  EXPECT_EQ(fail_idx, no_copy);
  EXPECT_EQ(target.contents(), bytes(size));
}

TEST_F(DriverBatch, OlderFormTakesPtszZero) {
  driver_batch work = blocks_of();

  EXPECT_EQ(submit_older(work, nullptr, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM),
            CUDA_SUCCESS);

  EXPECT_EQ(cuStreamSynchronize(CU_STREAM_PER_THREAD), CUDA_SUCCESS);
  EXPECT_EQ(target.contents(), numbered(size, 1));
}

TEST_F(DriverBatch, CreatedStreamNeedsNoCurrentContext) {
  driver_batch work = blocks_of();
  const pushed again(primary);
  must(cuCtxPopCurrent(nullptr));
  must(cuCtxPopCurrent(nullptr));

  EXPECT_EQ(work.submit(stream), CUDA_SUCCESS);
  EXPECT_EQ(work.submit(CU_STREAM_PER_THREAD), CUDA_ERROR_INVALID_CONTEXT);

  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(current(), nullptr);
  must(cuCtxPushCurrent(primary));
  must(cuCtxPushCurrent(primary));
}

// Columns 8 to 15 of every row of 64 bytes.
CUDA_MEMCPY3D_BATCH_OP columns(CUdeviceptr dst, CUdeviceptr src) {
  CUDA_MEMCPY3D_BATCH_OP made = {};
  made.src.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
  made.src.op.ptr.ptr = src + 8;
  made.src.op.ptr.rowLength = block;
  made.dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
  made.dst.op.ptr.ptr = dst;
  made.extent = {8, blocks, 1};
  made.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  return made;
}

TEST_F(DriverBatch, FailIdxNamesBadBox) {
  std::vector<CUDA_MEMCPY3D_BATCH_OP> boxes(3, columns(target, source));
  boxes[2].extent.depth = 0;

  EXPECT_EQ(cuMemcpy3DBatchAsync_ptsz(3, boxes.data(), &fail_idx, 0, stream),
            CUDA_ERROR_INVALID_VALUE);

  EXPECT_EQ(fail_idx, 2U);
  EXPECT_EQ(target.contents(), bytes(size));
}

TEST_F(DriverBatch, FailIdxNamesUnmappedBox) {
  const unmapped_page unmapped;
  std::vector<CUDA_MEMCPY3D_BATCH_OP> boxes(2, columns(target, source));
  boxes[1].src.op.ptr.ptr = reinterpret_cast<CUdeviceptr>(unmapped.data());
  boxes[1].extent = {8, 2, 1};
  boxes[1].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;

  EXPECT_NE(cuMemcpy3DBatchAsync_ptsz(2, boxes.data(), &fail_idx, 0, stream), CUDA_SUCCESS);

  EXPECT_EQ(fail_idx, 1U);
}

}  // namespace
}  // namespace convoy::test
