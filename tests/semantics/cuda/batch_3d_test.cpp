#include "support/cuda.hpp"

namespace convoy::test {
namespace {

template <class Api>
class CudaBoxBatch : public cuda_test<Api> {
 protected:
  static constexpr std::size_t size = 512;

  static typename Api::operand operand(unsigned char* start, std::size_t row_length = 0,
                                       std::size_t layer_height = 0) {
    typename Api::operand made = {};
    made.type = Api::pointer_operand;
    made.op.ptr.ptr = Api::batch_pointer(start);
    made.op.ptr.rowLength = row_length;
    made.op.ptr.layerHeight = layer_height;
    return made;
  }
  static typename Api::box box(const typename Api::operand& dst, const typename Api::operand& src,
                               cudaExtent extent) {
    typename Api::box made = {};
    made.src = src;
    made.dst = dst;
    made.extent = {extent.width, extent.height, extent.depth};
    made.srcAccessOrder = Api::order_stream;
    return made;
  }
  [[nodiscard]] typename Api::box good() const {
    return box(operand(target.data(), 16, 4), operand(source.data(), 8, 4), {8, 2, 2});
  }
  [[nodiscard]] typename Api::box line() const {
    return box(operand(target.data()), operand(source.data()), {size, 1, 1});
  }

  typename Api::result submit(std::vector<typename Api::box> boxes, unsigned long long flags = 0) {
    return Api::submit_boxes(boxes.size(), boxes.data(), flags, stream);
  }
  void expect_refused(const typename Api::box& bad,
                      typename Api::result answer = Api::invalid_value) {
    EXPECT_EQ(submit({good(), bad}), answer);
    EXPECT_EQ(Api::synchronize(stream), Api::success);
    EXPECT_EQ(target.contents(), bytes(size));
  }

  const api_stream<Api> stream;
  const api_memory<Api> source{memory_kind::pinned, numbered(size)};
  const api_memory<Api> target{memory_kind::device, bytes(size)};
};
TYPED_TEST_SUITE(CudaBoxBatch, cuda_apis, api_names);

TYPED_TEST(CudaBoxBatch, LandsInStreamOrder) {
  const auto tight = this->box(this->operand(this->target.data() + 256),
                               this->operand(this->source.data() + 256), {8, 4, 2});
  api_gate<TypeParam> closed(this->stream);

  EXPECT_EQ(this->submit({this->good(), tight}), TypeParam::success);

  EXPECT_EQ(this->target.contents(), bytes(this->size));
  closed.open();
  EXPECT_EQ(TypeParam::synchronize(this->stream), TypeParam::success);
  const bytes from = numbered(this->size);
  bytes wanted(this->size);
  for (std::size_t z = 0; z != 2; ++z) {
    for (std::size_t y = 0; y != 2; ++y) {
      std::copy_n(from.begin() + z * 32 + y * 8, 8, wanted.begin() + z * 64 + y * 16);
    }
  }
  std::copy_n(from.begin() + 256, 64, wanted.begin() + 256);
  EXPECT_EQ(this->target.contents(), wanted);
}

TYPED_TEST(CudaBoxBatch, DuringCallReadsBeforeReturning) {
  auto early = this->line();
  early.srcAccessOrder = TypeParam::order_during_call;
  api_gate<TypeParam> closed(this->stream);

  EXPECT_EQ(this->submit({early}), TypeParam::success);
  std::memset(this->source.data(), 0, this->size);
  closed.open();

  EXPECT_EQ(TypeParam::synchronize(this->stream), TypeParam::success);
  EXPECT_EQ(this->target.contents(), numbered(this->size));
}

TYPED_TEST(CudaBoxBatch, SingleBoxWithAttributesLands) {
  auto one = this->line();

  EXPECT_EQ(TypeParam::submit_box(&one, 0, this->stream), TypeParam::success);

  EXPECT_EQ(TypeParam::synchronize(this->stream), TypeParam::success);
  EXPECT_EQ(this->target.contents(), numbered(this->size));
}

TYPED_TEST(CudaBoxBatch, LegacyStreamAndFlagsAreRefused) {
  auto one = this->good();

  EXPECT_EQ(TypeParam::submit_boxes(1, &one, 0, nullptr), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::submit_boxes(1, &one, 0, cudaStreamLegacy), TypeParam::invalid_value);
  EXPECT_EQ(this->submit({one}, 1), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::submit_boxes(1, nullptr, 0, this->stream), TypeParam::invalid_value);
  EXPECT_EQ(this->submit({}), TypeParam::invalid_value);
}

TYPED_TEST(CudaBoxBatch, EmptyExtentIsRefused) {
  auto bad = this->good();
  bad.extent.height = 0;
  this->expect_refused(bad);
}

TYPED_TEST(CudaBoxBatch, ShortRowOrLayerIsRefused) {
  const auto dst = this->operand(this->target.data());
  const auto src = this->operand(this->source.data());

  this->expect_refused(this->box(this->operand(this->target.data(), 7, 0), src, {8, 2, 2}));
  this->expect_refused(this->box(dst, this->operand(this->source.data(), 0, 1), {8, 2, 2}));
}

TYPED_TEST(CudaBoxBatch, BoxBeyondAllocationIsRefused) {
  const auto dst = this->operand(this->target.data());
  const auto src = this->operand(this->source.data());

  this->expect_refused(this->box(dst, src, {8, 8, 9}));
  this->expect_refused(this->box(dst, src, {8, SIZE_MAX, SIZE_MAX}));
}

TYPED_TEST(CudaBoxBatch, NullAndUnknownOperandsAreRefused) {
  this->expect_refused(
      this->box(this->operand(nullptr), this->operand(this->source.data()), {8, 1, 1}));
  auto unknown = this->good();
  unknown.src.type = static_cast<decltype(unknown.src.type)>(3);
  this->expect_refused(unknown);
}

TYPED_TEST(CudaBoxBatch, UnknownAccessOrderIsRefused) {
  auto bad = this->good();
  bad.srcAccessOrder = TypeParam::order_invalid;
  this->expect_refused(bad);
}

TYPED_TEST(CudaBoxBatch, ArraysAreNotSupported) {
  auto bad = this->good();
  bad.src.type = TypeParam::array_operand;
  this->expect_refused(bad, TypeParam::not_supported);
}

}  // namespace
}  // namespace convoy::test
