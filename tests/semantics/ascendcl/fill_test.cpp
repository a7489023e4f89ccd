#include <cstring>

#include "support/ascendcl.hpp"

namespace convoy::test {
namespace {

class AclFill : public AclTest {
 protected:
  acl_stream stream_;
  acl_memory device_ = on_device(zeros(64));
};

TEST_F(AclFill, SetsBytesInStreamOrder) {
  EXPECT_ACL_OK(aclrtMemset(device_.data(), 64, 0x107, 64));
  EXPECT_EQ(contents_of(device_), bytes(64, std::byte{7}));
  acl_gate closed(stream_);
  EXPECT_ACL_OK(aclrtMemsetAsync(device_.data(), 64, 9, 64, stream_));
  EXPECT_EQ(contents_of(device_), bytes(64, std::byte{7}));
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(contents_of(device_), bytes(64, std::byte{9}));
}

TEST_F(AclFill, SetsHostMemory) {
  bytes own = zeros(8);

  EXPECT_ACL_OK(aclrtMemset(own.data(), 8, 5, 8));

  EXPECT_EQ(own, bytes(8, std::byte{5}));
}

TEST_F(AclFill, NullAndSizeAreChecked) {
  EXPECT_EQ(aclrtMemset(nullptr, 8, 0, 8), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemsetAsync(nullptr, 8, 0, 8, stream_), ACL_ERROR_INVALID_PARAM);
  EXPECT_ACL_OK(aclrtMemset(device_.data(), 0, 0, 0));
  EXPECT_EQ(aclrtMemset(device_.data(), 7, 0, 8), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemsetAsync(device_.data(), 7, 0, 8, stream_), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemset(device_.data(), 1000, 0, 1000), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclFill, Sets32BitValues) {
  EXPECT_ACL_OK(aclrtMemsetD32(device_.data(), 64, 0x04030201, 2));
  EXPECT_ACL_OK(aclrtMemsetD32Async(device_.data() + 8, 56, 0x05050505, 1, stream_));
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));

  const bytes found = contents_of(device_.data(), 13);
  EXPECT_EQ(found[4], std::byte{1});
  EXPECT_EQ(found[7], std::byte{4});
  EXPECT_EQ(found[11], std::byte{5});
  EXPECT_EQ(found[12], std::byte{0});
}

TEST_F(AclFill, BadAddressOrSizeIsRefused) {
  std::uint32_t own[2] = {};

  EXPECT_EQ(aclrtMemsetD32(nullptr, 64, 0, 2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemsetD32(device_.data() + 1, 60, 0, 2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemsetD32(device_.data(), 7, 0, 2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemsetD32(device_.data(), SIZE_MAX, 0, SIZE_MAX), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemsetD32(own, 8, 0, 2), ACL_ERROR_INVALID_PARAM);
}

// Four rows of 8 bytes, 16 bytes apart on the device and side by side on the host.
class AclRows : public AclFill {
 protected:
  static bytes row(std::size_t i) {
    const bytes all = numbered(32);
    return {all.begin() + static_cast<long>(i * 8), all.begin() + static_cast<long>(i * 8 + 8)};
  }
  acl_memory host_ = on_host(numbered(32));
};

TEST_F(AclRows, AreCopiedOutAndBack) {
  bytes back = zeros(32);

  EXPECT_ACL_OK(
      aclrtMemcpy2d(device_.data(), 16, host_.data(), 8, 8, 4, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_ACL_OK(aclrtMemcpy2d(back.data(), 8, device_.data(), 16, 8, 4, ACL_MEMCPY_DEFAULT));

  EXPECT_EQ(back, numbered(32));
  EXPECT_EQ(contents_of(device_.data() + 32, 8), row(2));
  EXPECT_EQ(contents_of(device_.data() + 8, 8), zeros(8));
}

TEST_F(AclRows, AreCopiedInStreamOrder) {
  acl_gate closed(stream_);

  EXPECT_ACL_OK(aclrtMemcpy2dAsync(device_.data(), 16, host_.data(), 8, 8, 4,
                                   ACL_MEMCPY_HOST_TO_DEVICE, stream_));

  EXPECT_FALSE(is_empty(stream_));
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(contents_of(device_.data() + 48, 8), row(3));
}

TEST_F(AclRows, PageableMemoryBlocksUntilLanded) {
  bytes own = numbered(32);

  EXPECT_ACL_OK(aclrtMemcpy2dAsync(device_.data(), 16, own.data(), 8, 8, 4,
                                   ACL_MEMCPY_HOST_TO_DEVICE, stream_));

  EXPECT_TRUE(is_empty(stream_));
  EXPECT_EQ(contents_of(device_.data() + 48, 8), row(3));
}

TEST_F(AclRows, SyncCopyWithinDeviceIsUnsupported) {
  const acl_memory other = on_device(numbered(32));

  EXPECT_EQ(aclrtMemcpy2d(device_.data(), 16, other.data(), 8, 8, 4, ACL_MEMCPY_DEVICE_TO_DEVICE),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_ACL_OK(aclrtMemcpy2dAsync(device_.data(), 16, other.data(), 8, 8, 4,
                                   ACL_MEMCPY_DEVICE_TO_DEVICE, stream_));

  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(contents_of(device_.data() + 16, 8), row(1));
}

TEST_F(AclRows, ZeroExtentSucceedsBeforeOtherChecks) {
  EXPECT_ACL_OK(aclrtMemcpy2d(nullptr, 0, nullptr, 0, 0, 4, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_ACL_OK(aclrtMemcpy2dAsync(nullptr, 0, nullptr, 0, 8, 0, ACL_MEMCPY_HOST_TO_DEVICE, this));
}

TEST_F(AclRows, ArgumentsAreChecked) {
  const auto copy = [&](void* dst, std::size_t pitch, std::size_t width, std::size_t height,
                        aclrtMemcpyKind kind) {
    return aclrtMemcpy2d(dst, pitch, host_.data(), width, width, height, kind);
  };

  EXPECT_EQ(copy(nullptr, 16, 8, 4, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(copy(device_.data(), 7, 8, 4, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(copy(device_.data(), 16, 8, 4, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(copy(device_.data(), 5'000'001, 5'000'001, 1, ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(copy(device_.data(), 8, 8, 5'242'881, ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(copy(device_.data(), 1000, 8, 4, ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_ERROR_RT_PARAM_INVALID);
}

// Base pointers in device memory.
class AclOffsets : public AclFill {
 protected:
  static bytes pointer_to(const acl_memory& target) {
    void* const start = target.data();
    bytes made = zeros(sizeof start);
    std::memcpy(made.data(), &start, sizeof start);
    return made;
  }
  aclError copy(std::size_t dst_offset, std::size_t src_offset, std::size_t count,
                std::size_t capacity = 64,
                aclrtMemcpyKind kind = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE) {
    return aclrtMemcpyAsyncWithOffset(reinterpret_cast<void**>(dst_base_.data()), capacity,
                                      dst_offset, reinterpret_cast<const void**>(src_base_.data()),
                                      count, src_offset, kind, stream_);
  }
  acl_memory source_ = on_device(numbered(64));
  acl_memory src_base_ = on_device(pointer_to(source_));
  acl_memory dst_base_ = on_device(pointer_to(device_));
};

TEST_F(AclOffsets, BasePointersAreReadAtExecution) {
  const acl_memory other = on_device(zeros(64));
  acl_gate closed(stream_);

  EXPECT_ACL_OK(copy(8, 16, 8));
  put(dst_base_.data(), pointer_to(other));
  closed.open();

  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(contents_of(device_), zeros(64));
  EXPECT_EQ(contents_of(other.data() + 8, 8), contents_of(source_.data() + 16, 8));
}

TEST_F(AclOffsets, ArgumentsAreChecked) {
  EXPECT_ACL_OK(copy(8, 16, 0, 0, ACL_MEMCPY_DEFAULT));
  EXPECT_EQ(copy(0, 0, 8, 64, ACL_MEMCPY_DEVICE_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(copy(64, 0, 1, 64), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(copy(8, 0, 57, 64), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(copy(0, std::size_t{1} << 48, 8, 64), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclOffsets, InvalidBasePointerFailsStep) {
  put(dst_base_.data(), bytes(8, std::byte{0x44}));

  EXPECT_ACL_OK(copy(0, 0, 8));

  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_COPY_DATA);
}

}  // namespace
}  // namespace convoy::test
