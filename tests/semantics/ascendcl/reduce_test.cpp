#include <algorithm>
#include <cstring>

#include "support/ascendcl.hpp"
#include "support/own_process.hpp"

namespace convoy::test {
namespace {

constexpr auto sum = ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM;
constexpr auto max = ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX;
constexpr auto min = ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN;
constexpr aclError no = ACL_ERROR_RT_FEATURE_NOT_SUPPORT;

template <class T>
bytes packed(std::vector<T> values) {
  bytes made(values.size() * sizeof(T));
  std::memcpy(made.data(), values.data(), made.size());
  return made;
}

// Reduces two lists of elements and returns the destination.
template <class T>
bytes reduced(aclrtReduceKind kind, aclDataType type, std::vector<T> there, std::vector<T> other) {
  const acl_stream stream;
  const acl_memory dst = on_device(packed(there));
  const acl_memory src = on_device(packed(other));
  EXPECT_ACL_OK(aclrtReduceAsync(dst.data(), src.data(), src.size(), kind, type, stream, nullptr));
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream));
  return contents_of(dst);
}

std::vector<aclFloat16> halves(const std::vector<float>& values) {
  std::vector<aclFloat16> made(values.size());
  std::transform(values.begin(), values.end(), made.begin(), aclFloatToFloat16);
  return made;
}

class AclReduce : public AclTest {
 protected:
  acl_stream stream_;
  acl_memory dst_ = on_device(packed<float>({1, 5, -3, 0.5F}));
  acl_memory src_ = on_device(packed<float>({2, 4, -4, 0.25F}));

  // The same call with another destination, source or count.
  aclError reduce(void* dst, const void* src, std::uint64_t count = 16) {
    return aclrtReduceAsync(dst, src, count, sum, ACL_FLOAT, stream_, nullptr);
  }
  aclError reduce_by(aclrtReduceKind kind, aclDataType type) {
    return aclrtReduceAsync(dst_.data(), src_.data(), 16, kind, type, stream_, nullptr);
  }
  // The call is refused, with a message that contains the text.
  void expect_refused(aclError answer, const std::string& text) {
    EXPECT_EQ(answer, ACL_ERROR_RT_PARAM_INVALID);
    const std::string sentence = recent_errors();
    EXPECT_NE(sentence.find("aclrtReduceAsync"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(text), std::string::npos) << sentence;
  }
};

TEST_F(AclReduce, SumMaxAndMinWork) {
  using floats = std::vector<float>;
  const floats there{1, 5, -3, 0.5F};
  const floats other{2, 4, -4, 0.25F};

  EXPECT_EQ(reduced(sum, ACL_FLOAT, there, other), packed(floats{3, 9, -7, 0.75F}));
  EXPECT_EQ(reduced(max, ACL_FLOAT, there, other), packed(floats{2, 5, -3, 0.5F}));
  EXPECT_EQ(reduced(min, ACL_FLOAT, there, other), packed(floats{1, 4, -4, 0.25F}));
}

TEST_F(AclReduce, AcceptsHalfAndBfloat16) {
  EXPECT_EQ(reduced(sum, ACL_FLOAT16, halves({1, 2048, 65504}), halves({0.5F, 1, 100})),
            packed(halves({1.5F, 2048, 70000})));
  EXPECT_EQ(reduced<std::uint16_t>(sum, ACL_BF16, {0x3F80, 0x4380}, {0x3F80, 0x3F80}),
            packed<std::uint16_t>({0x4000, 0x4380}));  // 1 + 1, and 256 + 1, which is 256
}

TEST_F(AclReduce, IntegerSumsWrapAround) {
  EXPECT_EQ(reduced<std::int8_t>(sum, ACL_INT8, {127, 3}, {2, 4}), packed<std::int8_t>({-127, 7}));
  EXPECT_EQ(reduced<std::int16_t>(max, ACL_INT16, {-1, 3}, {2, -4}), packed<std::int16_t>({2, 3}));
  EXPECT_EQ(reduced<std::int32_t>(min, ACL_INT32, {-1, 3}, {2, -4}),
            packed<std::int32_t>({-1, -4}));
}

TEST_F(AclReduce, RunsInStreamOrder) {
  const bytes before = contents_of(dst_);
  acl_gate closed(stream_);

  EXPECT_ACL_OK(reduce(dst_.data(), src_.data()));
  EXPECT_ACL_OK(reduce(dst_.data(), src_.data()));

  EXPECT_EQ(contents_of(dst_), before);
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(contents_of(dst_), packed<float>({5, 13, -11, 1}));
}

TEST_F(AclReduce, NullMeansDefaultStream) {
  EXPECT_ACL_OK(aclrtReduceAsync(dst_.data(), src_.data(), 16, sum, ACL_FLOAT, nullptr, nullptr));

  EXPECT_ACL_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(contents_of(dst_), packed<float>({3, 9, -7, 0.75F}));
}

TEST_F(AclReduce, StreamIsChecked) {
  int nothing = 0;

  EXPECT_EQ(aclrtReduceAsync(dst_.data(), src_.data(), 16, sum, ACL_FLOAT, &nothing, nullptr),
            ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(AclReduce, ZeroBytesSucceedBeforeOtherChecks) {
  int nothing = 0;

  EXPECT_ACL_OK(aclrtReduceAsync(nullptr, nullptr, 0, static_cast<aclrtReduceKind>(99),
                                 ACL_DT_UNDEFINED, &nothing, &nothing));
}

TEST_F(AclReduce, NullAndReservedAreChecked) {
  int something = 0;

  EXPECT_EQ(reduce(nullptr, src_.data()), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(reduce(dst_.data(), nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtReduceAsync(dst_.data(), src_.data(), 16, sum, ACL_FLOAT, stream_, &something),
            ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclReduce, UnknownKindsAndTypesAreRefused) {
  EXPECT_EQ(reduce_by(static_cast<aclrtReduceKind>(9), ACL_FLOAT), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(reduce_by(static_cast<aclrtReduceKind>(14), ACL_FLOAT), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(reduce_by(sum, ACL_DT_UNDEFINED), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(reduce_by(sum, static_cast<aclDataType>(5)), ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclReduce, EqualityAndOtherTypesAreUnsupported) {
  EXPECT_EQ(reduce_by(ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL, ACL_FLOAT), no);
  EXPECT_EQ(reduce_by(sum, ACL_DOUBLE), no);
  EXPECT_EQ(reduce_by(sum, ACL_UINT8), no);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST_F(AclReduce, PartialElementIsRefused) {
  expect_refused(reduce(dst_.data(), src_.data(), 14), "count 14 is no multiple of the 4 bytes");
}

TEST_F(AclReduce, HostMemoryIsRefusedAndNamed) {
  const acl_memory host = on_host(zeros(16));
  bytes own = zeros(16);

  expect_refused(reduce(host.data(), src_.data()), "dst is pinned host memory");
  expect_refused(reduce(dst_.data(), own.data()), "src is pageable host memory");
}

TEST_F(AclReduce, OtherDeviceIsRefusedAndNamed) {
  must_acl(aclrtSetDevice(1));
  const acl_memory far = on_device(zeros(16));
  must_acl(aclrtSetDevice(0));

  expect_refused(reduce(dst_.data(), far.data()), "src is memory of device 1");
  expect_refused(reduce(far.data(), src_.data()), "dst is memory of device 1");
  must_acl(aclrtResetDevice(0));
  must_acl(aclrtResetDevice(1));
}

TEST_F(AclReduce, RangeBeyondAllocationIsRefused) {
  const acl_memory large = on_device(zeros(4096));

  expect_refused(reduce(dst_.data(), large.data(), 4096), "destination");
  expect_refused(reduce(large.data(), src_.data(), 4096), "source");
}

TEST_F(AclReduce, FreedMemoryIsRefused) {
  acl_memory gone = on_device(zeros(16));
  void* const at = gone.data();
  must_acl(gone.free());

  expect_refused(reduce(dst_.data(), at), "source");
}

TEST_F(AclReduce, PartialOverlapIsRefused) {
  EXPECT_ACL_OK(reduce(src_.data(), src_.data()));
  expect_refused(reduce(src_.data() + 4, src_.data()), "overlap");

  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(contents_of(src_), packed<float>({4, 8, -8, 0.5F}));
}

TEST_F(AclReduce, MemoryFreedAfterSubmissionIsUsable) {
  acl_memory parts = on_device(packed<float>({1, 1, 1, 1}));
  acl_gate closed(stream_);
  EXPECT_ACL_OK(reduce(dst_.data(), parts.data()));

  EXPECT_ACL_OK(parts.free());

  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(contents_of(dst_), packed<float>({2, 6, -2, 1.5F}));
}

class AclReduceOn : public own_process {
 protected:
  // The types that a model takes for a kind, as digits.
  static std::string types_of(const char* model, aclrtReduceKind kind) {
    ::setenv("CONVOY_SOC", model, 1);
    must_acl(aclrtSetDevice(0));
    const acl_memory both = on_device(zeros(16));
    std::string taken;
    for (const aclDataType type :
         {ACL_FLOAT, ACL_FLOAT16, ACL_INT8, ACL_INT32, ACL_INT16, ACL_UINT32, ACL_BF16}) {
      const aclError answer =
          aclrtReduceAsync(both.data(), both.data() + 8, 8, kind, type, nullptr, nullptr);
      if (answer != ACL_SUCCESS && answer != no) return "refused";
      if (answer == ACL_SUCCESS) taken += std::to_string(type) + ' ';
    }
    return taken;
  }
};

TEST_F(AclReduceOn, Model950TakesEveryType) {
  EXPECT_EXIT(end_well_if(types_of("Ascend950PR_9599", max) == "0 1 2 3 6 8 27 "), ended_well, "");
}

TEST_F(AclReduceOn, A3AndA2TakeSignedTypes) {
  for (const char* model : {"Ascend910_9391", "Ascend910B3"}) {
    EXPECT_EXIT(end_well_if(types_of(model, min) == "0 1 2 3 6 27 "), ended_well, "");
  }
}

TEST_F(AclReduceOn, Model310BTakesNoBfloat16) {
  EXPECT_EXIT(end_well_if(types_of("Ascend310B4", max) == "0 1 2 3 6 "), ended_well, "");
}

TEST_F(AclReduceOn, Model310PAddsThreeTypes) {
  EXPECT_EXIT(end_well_if(types_of("Ascend310P3", sum) == "0 1 6 "), ended_well, "");
  EXPECT_EXIT(end_well_if(types_of("Ascend310P3", max).empty()), ended_well, "");
}

TEST_F(AclReduceOn, Model910AddsFloats) {
  EXPECT_EXIT(end_well_if(types_of("Ascend910A", sum) == "0 "), ended_well, "");
  EXPECT_EXIT(end_well_if(types_of("Ascend910A", min).empty()), ended_well, "");
}

TEST_F(AclReduceOn, UnsupportedTypeNamesModel) {
  EXPECT_EXIT(
      {
        const bool lacking = types_of("Ascend910A", max).empty();
        end_well_if(lacking &&
                    recent_errors().find("Ascend910A does not reduce") != std::string::npos &&
                    aclrtGetLastError(ACL_RT_THREAD_LEVEL) == no);
      },
      ended_well, "");
}

}  // namespace
}  // namespace convoy::test
