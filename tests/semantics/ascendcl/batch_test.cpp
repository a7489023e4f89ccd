#include <cstdint>

#include "support/ascendcl_batch.hpp"

namespace convoy::test {
namespace {

TEST_F(AclBatch, EveryItemReachesTheDevice) {
  acl_batch batch = whole();

  EXPECT_ACL_OK(batch.submit(stream_));
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));

  EXPECT_EQ(batch.fail_index, SIZE_MAX);
  EXPECT_EQ(contents_of(device_), numbered(all));
}

TEST_F(AclBatch, EveryItemReachesTheHost) {
  put(device_.data(), numbered(all, 3));
  acl_batch batch = side_by_side(host_.data(), device_.data(), each, count);
  batch.attributes = {to_host};

  EXPECT_ACL_OK(batch.submit(stream_));
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));

  EXPECT_EQ(contents_of(host_), numbered(all, 3));
}

TEST_F(AclBatch, PinnedMemoryDoesNotBlock) {
  acl_batch batch = whole();
  acl_gate closed(stream_);

  EXPECT_ACL_OK(batch.submit(stream_));

  EXPECT_FALSE(is_empty(stream_));
  EXPECT_EQ(contents_of(device_), zeros(all));
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(contents_of(device_), numbered(all));
}

TEST_F(AclBatch, RegisteredMemoryDoesNotBlock) {
  bytes own = numbered(all, 5);
  must_acl(aclrtHostRegisterV2(own.data(), all, ACL_HOST_REG_PINNED));
  acl_batch batch = side_by_side(device_.data(), own.data(), each, count);
  acl_gate closed(stream_);

  EXPECT_ACL_OK(batch.submit(stream_));

  EXPECT_FALSE(is_empty(stream_));
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(contents_of(device_), own);
  EXPECT_ACL_OK(aclrtHostUnregister(own.data()));
}

TEST_F(AclBatch, PageableMemoryBlocksUntilLanded) {
  bytes own = numbered(each, 9);
  acl_batch batch = whole();
  batch.srcs[7] = own.data();
  acl_gate closed(stream_);

  EXPECT_ACL_OK(expect_blocked(closed, stream_, [&] { return batch.submit(stream_); }));

  EXPECT_EQ(contents_of(device_.data() + 7 * each, each), own);
  EXPECT_EQ(contents_of(device_.data(), each), contents_of(host_.data(), each));
}

TEST_F(AclBatch, PartlyRegisteredMemoryBlocksUntilLanded) {
  bytes own = numbered(3 * each, 9);
  must_acl(aclrtHostRegisterV2(own.data() + each, each, ACL_HOST_REG_PINNED));
  acl_batch batch = whole();
  batch.srcs[3] = own.data() + each / 2;      // ends in registered memory
  batch.srcs[7] = own.data() + each * 3 / 2;  // starts there
  acl_gate closed(stream_);
  std::atomic<bool> returned = false;
  aclrtContext context = nullptr;
  must_acl(aclrtGetCurrentContext(&context));

  auto call = std::async(std::launch::async, [&] {
    must_acl(aclrtSetCurrentContext(context));
    const aclError code = batch.submit(stream_);
    returned = true;
    return code;
  });
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, short_wait_ms),
            ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_FALSE(returned);
  closed.open();

  EXPECT_EQ(call.get(), ACL_SUCCESS);
  EXPECT_EQ(contents_of(device_.data() + 3 * each, each), contents_of(batch.srcs[3], each));
  EXPECT_EQ(contents_of(device_.data() + 7 * each, each), contents_of(batch.srcs[7], each));
  EXPECT_ACL_OK(aclrtHostUnregister(own.data() + each));
}

TEST_F(AclBatch, RunsInStreamOrder) {
  acl_memory back = on_host(zeros(all));
  acl_batch out = whole();
  acl_batch in = side_by_side(back.data(), device_.data(), each, count);
  in.attributes = {to_host};
  acl_gate closed(stream_);

  EXPECT_ACL_OK(out.submit(stream_));
  EXPECT_ACL_OK(in.submit(stream_));
  closed.open();

  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(contents_of(back), numbered(all));
}

TEST_F(AclBatch, ArraysMayBeFreedOnReturn) {
  acl_gate closed(stream_);
  {
    acl_batch batch = whole();
    EXPECT_ACL_OK(batch.submit(stream_));
    std::fill(batch.dsts.begin(), batch.dsts.end(), nullptr);
    std::fill(batch.sizes.begin(), batch.sizes.end(), SIZE_MAX);
  }
  closed.open();

  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(contents_of(device_), numbered(all));
}

TEST_F(AclBatch, NullMeansDefaultStream) {
  acl_batch batch = whole();
  acl_gate closed(nullptr);

  EXPECT_ACL_OK(batch.submit(nullptr));

  EXPECT_FALSE(is_empty(nullptr));
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(contents_of(device_), numbered(all));
}

TEST_F(AclBatch, AttributesApplyToTheirRun) {
  must_acl(aclrtSetDevice(1));
  const acl_memory other = on_device(zeros(each));
  must_acl(aclrtSetDevice(0));
  acl_batch batch = whole();
  batch.dsts[3] = other.data();
  batch.attributes = {to_device, {device_1, host_location, {}}, to_device};
  batch.firsts = {0, 3, 4};

  EXPECT_ACL_OK(batch.submit(stream_));
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));

  EXPECT_EQ(contents_of(other), contents_of(host_.data() + 3 * each, each));
  EXPECT_ACL_OK(aclrtResetDevice(1));
}

TEST_F(AclBatch, EveryItemMayHaveARun) {
  acl_batch batch = whole();
  batch.attributes.assign(count, to_device);
  batch.firsts.clear();
  for (std::size_t i = 0; i != count; ++i) batch.firsts.push_back(i);

  EXPECT_ACL_OK(batch.submit(stream_));
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));

  EXPECT_EQ(contents_of(device_), numbered(all));
}

TEST_F(AclBatch, ItemCountIsUnlimited) {
  constexpr std::size_t many = 5000;
  const acl_memory from = on_host(numbered(many));
  const acl_memory to = on_device(zeros(many));
  acl_batch batch = side_by_side(to.data(), from.data(), 1, many);

  EXPECT_ACL_OK(batch.submit(stream_));
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));

  EXPECT_EQ(contents_of(to), numbered(many));
}

TEST_F(AclBatch, NumaNodeCountsAsHost) {
  acl_batch batch = whole();
  batch.attributes = {{device_0, {77, ACL_MEM_LOCATION_TYPE_HOST_NUMA}, {}}};

  EXPECT_ACL_OK(batch.submit(stream_));
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));

  EXPECT_EQ(contents_of(device_), numbered(all));
}

TEST_F(AclBatch, FormWithoutFailIndexIsEquivalent) {
  acl_batch good = whole();
  acl_batch bad = whole();
  bad.srcs[1] = nullptr;
  const auto submit = [&](acl_batch& b) {
    return aclrtMemcpyBatchAsyncV2(b.dsts.data(), b.capacities.data(), b.srcs.data(),
                                   b.sizes.data(), count, b.attributes.data(), b.firsts.data(), 1,
                                   stream_);
  };

  EXPECT_EQ(submit(bad), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_ACL_OK(submit(good));

  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(contents_of(device_), numbered(all));
}

class AclSyncBatch : public AclBatch {};

TEST_F(AclSyncBatch, LandsOnReturnWithoutWaiting) {
  const acl_gate closed(nullptr);
  acl_batch batch = whole();

  EXPECT_ACL_OK(batch.copy());

  EXPECT_EQ(batch.fail_index, SIZE_MAX);
  EXPECT_EQ(contents_of(device_), numbered(all));
}

TEST_F(AclSyncBatch, FormWithoutFailIndexIsEquivalent) {
  acl_batch b = whole();

  EXPECT_ACL_OK(aclrtMemcpyBatchV2(b.dsts.data(), b.capacities.data(), b.srcs.data(),
                                   b.sizes.data(), count, b.attributes.data(), b.firsts.data(), 1));

  EXPECT_EQ(contents_of(device_), numbered(all));
}

TEST_F(AclSyncBatch, AcceptsPageableMemory) {
  bytes own = numbered(all, 4);
  acl_batch batch = side_by_side(device_.data(), own.data(), each, count);

  EXPECT_ACL_OK(batch.copy());

  EXPECT_EQ(contents_of(device_), own);
}

TEST_F(AclSyncBatch, FailIndexNamesItem) {
  acl_batch batch = whole();
  batch.srcs[3] = device_.data();

  EXPECT_EQ(batch.copy(), ACL_ERROR_RT_PARAM_INVALID);

  EXPECT_EQ(batch.fail_index, 3U);
  EXPECT_EQ(contents_of(device_), zeros(all));
}

TEST_F(AclSyncBatch, HasAtMost4096Items) {
  const acl_memory from = on_host(numbered(4097));
  const acl_memory to = on_device(zeros(4097));
  acl_batch batch = side_by_side(to.data(), from.data(), 1, 4096);

  EXPECT_ACL_OK(batch.copy());
  batch.add(to.data() + 4096, from.data() + 4096, 1);
  EXPECT_EQ(batch.copy(), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(batch.fail_index, SIZE_MAX);
}

}  // namespace
}  // namespace convoy::test
