#include "support/cuda.hpp"

namespace convoy::test {
namespace {

cudaMemcpy3DOperand operand(void* start, std::size_t row_length = 0, std::size_t layer_height = 0) {
  cudaMemcpy3DOperand made = {};
  made.type = cudaMemcpyOperandTypePointer;
  made.op.ptr.ptr = start;
  made.op.ptr.rowLength = row_length;
  made.op.ptr.layerHeight = layer_height;
  return made;
}

cudaMemcpy3DBatchOp box(const cudaMemcpy3DOperand& dst, const cudaMemcpy3DOperand& src,
                        cudaExtent extent) {
  cudaMemcpy3DBatchOp made = {};
  made.src = src;
  made.dst = dst;
  made.extent = extent;
  made.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  return made;
}

class CudaBoxBatch : public testing::Test {
 protected:
  static constexpr std::size_t size = 512;

  cudaError_t submit(std::vector<cudaMemcpy3DBatchOp> boxes, unsigned long long flags = 0) {
    return cudaMemcpy3DBatchAsync(boxes.size(), boxes.data(), flags, stream);
  }
  void expect_refused(const cudaMemcpy3DBatchOp& bad, cudaError_t answer = cudaErrorInvalidValue) {
    EXPECT_EQ(submit({good(), bad}), answer);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(target.contents(), bytes(size));
  }
  [[nodiscard]] cudaMemcpy3DBatchOp good() const {
    return box(operand(target.data(), 16, 4), operand(source.data(), 8, 4), {8, 2, 2});
  }

  const cuda_stream stream;
  const cuda_memory source{memory_kind::pinned, numbered(size)};
  const cuda_memory target{memory_kind::device, bytes(size)};
};

TEST_F(CudaBoxBatch, LandsInStreamOrder) {
  const auto tight = box(operand(target.data() + 256), operand(source.data() + 256), {8, 4, 2});
  cuda_gate closed(stream);

  EXPECT_EQ(submit({good(), tight}), cudaSuccess);

  EXPECT_EQ(target.contents(), bytes(size));
  closed.open();
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  const bytes from = numbered(size);
  bytes wanted(size);
  for (std::size_t z = 0; z != 2; ++z) {
    for (std::size_t y = 0; y != 2; ++y) {
      std::copy_n(from.begin() + z * 32 + y * 8, 8, wanted.begin() + z * 64 + y * 16);
    }
  }
  std::copy_n(from.begin() + 256, 64, wanted.begin() + 256);
  EXPECT_EQ(target.contents(), wanted);
}

TEST_F(CudaBoxBatch, DuringCallReadsBeforeReturning) {
  cudaMemcpy3DBatchOp early = box(operand(target.data()), operand(source.data()), {size, 1, 1});
  early.srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  cuda_gate closed(stream);

  EXPECT_EQ(submit({early}), cudaSuccess);
  std::memset(source.data(), 0, size);
  closed.open();

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(target.contents(), numbered(size));
}

TEST_F(CudaBoxBatch, SingleBoxWithAttributesLands) {
  cudaMemcpy3DBatchOp one = box(operand(target.data()), operand(source.data()), {size, 1, 1});

  EXPECT_EQ(cudaMemcpy3DWithAttributesAsync(&one, 0, stream), cudaSuccess);

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(target.contents(), numbered(size));
}

TEST_F(CudaBoxBatch, LegacyStreamAndFlagsAreRefused) {
  cudaMemcpy3DBatchOp one = good();

  EXPECT_EQ(cudaMemcpy3DBatchAsync(1, &one, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy3DBatchAsync(1, &one, 0, cudaStreamLegacy), cudaErrorInvalidValue);
  EXPECT_EQ(submit({one}, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy3DBatchAsync(1, nullptr, 0, stream), cudaErrorInvalidValue);
  EXPECT_EQ(submit({}), cudaErrorInvalidValue);
}

TEST_F(CudaBoxBatch, EmptyExtentIsRefused) {
  cudaMemcpy3DBatchOp bad = good();
  bad.extent.height = 0;
  expect_refused(bad);
}

TEST_F(CudaBoxBatch, ShortRowOrLayerIsRefused) {
  expect_refused(box(operand(target.data(), 7, 0), operand(source.data()), {8, 2, 2}));
  expect_refused(box(operand(target.data()), operand(source.data(), 0, 1), {8, 2, 2}));
}

TEST_F(CudaBoxBatch, BoxBeyondAllocationIsRefused) {
  expect_refused(box(operand(target.data()), operand(source.data()), {8, 8, 9}));
  expect_refused(box(operand(target.data()), operand(source.data()), {8, SIZE_MAX, SIZE_MAX}));
}

TEST_F(CudaBoxBatch, NullAndUnknownOperandsAreRefused) {
  expect_refused(box(operand(nullptr), operand(source.data()), {8, 1, 1}));
  cudaMemcpy3DBatchOp odd = good();
  odd.src.type = static_cast<cudaMemcpy3DOperandType>(3);
  expect_refused(odd);
}

TEST_F(CudaBoxBatch, UnknownAccessOrderIsRefused) {
  cudaMemcpy3DBatchOp bad = good();
  bad.srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
  expect_refused(bad);
}

TEST_F(CudaBoxBatch, ArraysAreNotSupported) {
  cudaMemcpy3DBatchOp bad = good();
  bad.src.type = cudaMemcpyOperandTypeArray;
  expect_refused(bad, cudaErrorNotSupported);
}

}  // namespace
}  // namespace convoy::test
