#include <atomic>
#include <cstdint>
#include <cstdio>

#include "support/ascendcl.hpp"

namespace convoy::test {
namespace {

class AclBatch : public AclTest {
 protected:
  static constexpr std::size_t each = 64;
  static constexpr std::size_t count = 16;
  static constexpr std::size_t all = each * count;

  acl_batch whole() { return side_by_side(device_.data(), host_.data(), each, count); }

  // The batch is refused with the code, blames the item, and has copied nothing.
  void expect_refusal(acl_batch& batch, aclError code, std::size_t item) {
    EXPECT_EQ(batch.submit(stream_), code);
    EXPECT_EQ(batch.fail_index, item);
    EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
    EXPECT_EQ(contents_of(device_), zeros(all));
  }

  acl_stream stream_;
  acl_memory host_ = on_host(numbered(all));
  acl_memory device_ = on_device(zeros(all));
};

TEST_F(AclBatch, CopiesEveryItemToTheDevice) {
  acl_batch batch = whole();

  EXPECT_ACL_OK(batch.submit(stream_));
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));

  EXPECT_EQ(batch.fail_index, SIZE_MAX);
  EXPECT_EQ(contents_of(device_), numbered(all));
}

TEST_F(AclBatch, CopiesEveryItemToTheHost) {
  put(device_.data(), numbered(all, 3));
  acl_batch batch = side_by_side(host_.data(), device_.data(), each, count);
  batch.attributes = {to_host};

  EXPECT_ACL_OK(batch.submit(stream_));
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));

  EXPECT_EQ(contents_of(host_), numbered(all, 3));
}

TEST_F(AclBatch, ReturnsAtOnceWithPinnedMemory) {
  acl_batch batch = whole();
  acl_gate closed(stream_);

  EXPECT_ACL_OK(batch.submit(stream_));

  EXPECT_FALSE(is_empty(stream_));
  EXPECT_EQ(contents_of(device_), zeros(all));
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
  EXPECT_EQ(contents_of(device_), numbered(all));
}

TEST_F(AclBatch, ReturnsAtOnceWithRegisteredMemory) {
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

TEST_F(AclBatch, WithPageableMemoryReturnsWhenAllHasLandedInStreamOrder) {
  bytes own = numbered(each, 9);
  acl_batch batch = whole();
  batch.srcs[7] = own.data();
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
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, moment_in_ms),
            ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_FALSE(returned);
  closed.open();

  EXPECT_EQ(call.get(), ACL_SUCCESS);
  EXPECT_EQ(contents_of(device_.data() + 7 * each, each), own);
  EXPECT_EQ(contents_of(device_.data(), each), contents_of(host_.data(), each));
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

TEST_F(AclBatch, ReadsItsArraysDuringTheCallOnly) {
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

TEST_F(AclBatch, WithoutAStreamGoesToTheDefaultStream) {
  acl_batch batch = whole();
  acl_gate closed(nullptr);

  EXPECT_ACL_OK(batch.submit(nullptr));

  EXPECT_FALSE(is_empty(nullptr));
  closed.open();
  EXPECT_ACL_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(contents_of(device_), numbered(all));
}

TEST_F(AclBatch, TakesAttributeRuns) {
  must_acl(aclrtSetDevice(1));
  const acl_memory other = on_device(zeros(each));
  must_acl(aclrtSetDevice(0));
  acl_batch batch = whole();
  batch.dsts[3] = other.data();
  batch.attributes = {to_device, {device_1, the_host, {}}, to_device};
  batch.firsts = {0, 3, 4};

  EXPECT_ACL_OK(batch.submit(stream_));
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));

  EXPECT_EQ(contents_of(other), contents_of(host_.data() + 3 * each, each));
  EXPECT_ACL_OK(aclrtResetDevice(1));
}

TEST_F(AclBatch, TakesAsManyRunsAsItems) {
  acl_batch batch = whole();
  batch.attributes.assign(count, to_device);
  batch.firsts.clear();
  for (std::size_t i = 0; i != count; ++i) batch.firsts.push_back(i);

  EXPECT_ACL_OK(batch.submit(stream_));
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));

  EXPECT_EQ(contents_of(device_), numbered(all));
}

TEST_F(AclBatch, HasNoLimit) {
  constexpr std::size_t many = 5000;
  acl_batch batch;
  for (std::size_t i = 0; i != many; ++i) batch.add(device_.data(), host_.data(), 1);

  EXPECT_ACL_OK(batch.submit(stream_));
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclBatch, IgnoresTheIdOfTheHostAndTakesItsNumaNodes) {
  acl_batch batch = whole();
  batch.attributes = {{device_0, {77, ACL_MEM_LOCATION_TYPE_HOST_NUMA}, {}}};

  EXPECT_ACL_OK(batch.submit(stream_));
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));

  EXPECT_EQ(contents_of(device_), numbered(all));
}

TEST_F(AclBatch, WithoutFailIndexIsRefused) {
  acl_batch b = whole();

  EXPECT_EQ(aclrtMemcpyBatchAsync(b.dsts.data(), b.capacities.data(), b.srcs.data(), b.sizes.data(),
                                  count, b.attributes.data(), b.firsts.data(), 1, nullptr, stream_),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(contents_of(device_), zeros(all));
}

TEST_F(AclBatch, WithoutSizesOrItemsIsRefused) {
  acl_batch b = whole();

  EXPECT_EQ(aclrtMemcpyBatchAsync(b.dsts.data(), b.capacities.data(), b.srcs.data(), nullptr, count,
                                  b.attributes.data(), b.firsts.data(), 1, &b.fail_index, stream_),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(
      aclrtMemcpyBatchAsync(b.dsts.data(), b.capacities.data(), b.srcs.data(), b.sizes.data(), 0,
                            b.attributes.data(), b.firsts.data(), 1, &b.fail_index, stream_),
      ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(b.fail_index, SIZE_MAX);
}

TEST_F(AclBatch, OfNothingButZeroSizesSucceedsWhateverElseIsWrong) {
  std::size_t sizes[2] = {};
  std::size_t item = 0;

  EXPECT_ACL_OK(aclrtMemcpyBatchAsync(nullptr, nullptr, nullptr, sizes, 2, nullptr, nullptr, 0,
                                      &item, reinterpret_cast<aclrtStream>(77)));
  EXPECT_EQ(item, SIZE_MAX);
}

TEST_F(AclBatch, WithoutOneOfItsArraysIsRefused) {
  acl_batch b = whole();
  const auto submit = [&](void** dsts, std::size_t* capacities, void** srcs,
                          aclrtMemcpyBatchAttr* attributes, std::size_t* firsts) {
    return aclrtMemcpyBatchAsync(dsts, capacities, srcs, b.sizes.data(), count, attributes, firsts,
                                 1, &b.fail_index, stream_);
  };
  void** const d = b.dsts.data();
  void** const s = b.srcs.data();
  std::size_t* const c = b.capacities.data();
  aclrtMemcpyBatchAttr* const a = b.attributes.data();
  std::size_t* const f = b.firsts.data();

  EXPECT_EQ(submit(nullptr, c, s, a, f), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(submit(d, nullptr, s, a, f), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(submit(d, c, nullptr, a, f), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(submit(d, c, s, nullptr, f), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(submit(d, c, s, a, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(AclBatch, WithAReservedByteSetIsRefused) {
  acl_batch batch = whole();
  batch.attributes[0].rsv[15] = 1;

  expect_refusal(batch, ACL_ERROR_INVALID_PARAM, SIZE_MAX);
}

TEST_F(AclBatch, WithRunsThatDoNotCoverItIsRefusedAndBlamesNobody) {
  const std::vector<std::vector<std::size_t>> wrong{{1}, {0, 0}, {0, 5, 4}, {0, count}};
  for (const auto& firsts : wrong) {
    acl_batch batch = whole();
    batch.firsts = firsts;
    batch.attributes.assign(firsts.size(), to_device);

    expect_refusal(batch, ACL_ERROR_RT_PARAM_INVALID, SIZE_MAX);
  }
}

TEST_F(AclBatch, WithNoAttributesOrMoreThanItemsIsRefused) {
  acl_batch none = whole();
  acl_batch more = whole();
  std::size_t item = 0;

  EXPECT_EQ(aclrtMemcpyBatchAsync(none.dsts.data(), none.capacities.data(), none.srcs.data(),
                                  none.sizes.data(), count, none.attributes.data(),
                                  none.firsts.data(), 0, &item, stream_),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemcpyBatchAsync(more.dsts.data(), more.capacities.data(), more.srcs.data(),
                                  more.sizes.data(), 1, more.attributes.data(), more.firsts.data(),
                                  SIZE_MAX, &item, stream_),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(item, SIZE_MAX);
}

TEST_F(AclBatch, BlamesTheItemWithANullPointer) {
  acl_batch batch = whole();
  batch.srcs[4] = nullptr;
  batch.dsts[9] = nullptr;

  expect_refusal(batch, ACL_ERROR_RT_PARAM_INVALID, 4);
}

TEST_F(AclBatch, BlamesAZeroSizeAmongOthers) {
  acl_batch batch = whole();
  batch.sizes[0] = 0;

  expect_refusal(batch, ACL_ERROR_RT_PARAM_INVALID, 0);
}

TEST_F(AclBatch, BlamesTheItemThatIsLargerThanItsCapacity) {
  acl_batch batch = whole();
  batch.capacities[10] = each - 1;

  expect_refusal(batch, ACL_ERROR_INVALID_PARAM, 10);
}

TEST_F(AclBatch, BlamesTheItemThatIsNotWhereItsAttributeSays) {
  acl_batch on_the_host = whole();
  on_the_host.dsts[10] = host_.data();
  acl_batch on_the_device = whole();
  on_the_device.srcs[11] = device_.data();
  acl_batch elsewhere = whole();
  elsewhere.attributes = {{device_1, the_host, {}}};

  expect_refusal(on_the_host, ACL_ERROR_RT_PARAM_INVALID, 10);
  expect_refusal(on_the_device, ACL_ERROR_RT_PARAM_INVALID, 11);
  expect_refusal(elsewhere, ACL_ERROR_RT_PARAM_INVALID, 0);
}

TEST_F(AclBatch, TakesNoOtherLocationTypes) {
  for (const int type : {2, 3, 5, -1}) {
    acl_batch batch = whole();
    batch.attributes[0].srcLoc.type = static_cast<aclrtMemLocationType>(type);

    expect_refusal(batch, ACL_ERROR_RT_PARAM_INVALID, 0);
  }
}

TEST_F(AclBatch, BlamesCopiesThatStayOnOneSide) {
  acl_batch within_host = side_by_side(host_.data(), host_.data() + all / 2, each, 2);
  within_host.attributes = {{the_host, the_host, {}}};
  acl_batch within_device = side_by_side(device_.data(), device_.data() + all / 2, each, 2);
  within_device.attributes = {{device_0, device_0, {}}};

  expect_refusal(within_host, ACL_ERROR_RT_PARAM_INVALID, 0);
  expect_refusal(within_device, ACL_ERROR_RT_PARAM_INVALID, 0);
}

TEST_F(AclBatch, BlamesTheItemThatGoesAnotherWayThanTheFirst) {
  acl_batch batch = whole();
  std::swap(batch.dsts[12], batch.srcs[12]);
  batch.attributes = {to_device, to_host, to_device};
  batch.firsts = {0, 12, 13};

  expect_refusal(batch, ACL_ERROR_RT_PARAM_INVALID, 12);
}

TEST_F(AclBatch, BlamesTheItemThatLeavesItsAllocation) {
  acl_batch beyond_source = whole();
  beyond_source.srcs[15] = host_.data() + all - each + 1;
  acl_batch beyond_all = whole();
  beyond_all.sizes[2] = beyond_all.capacities[2] = all * 2;

  expect_refusal(beyond_source, ACL_ERROR_RT_PARAM_INVALID, 15);
  expect_refusal(beyond_all, ACL_ERROR_RT_PARAM_INVALID, 2);
}

TEST_F(AclBatch, BlamesTheItemInFreedMemory) {
  acl_memory gone = on_device(zeros(each));
  acl_batch batch = whole();
  batch.dsts[5] = gone.data();
  must_acl(gone.free());

  expect_refusal(batch, ACL_ERROR_RT_PARAM_INVALID, 5);
}

TEST_F(AclBatch, BlamesTheFirstOfSeveralBadItems) {
  acl_batch batch = whole();
  batch.capacities[14] = 0;
  batch.srcs[13] = nullptr;

  expect_refusal(batch, ACL_ERROR_RT_PARAM_INVALID, 13);
}

TEST_F(AclBatch, BlamesTheFirstOfSeveralBadItemsAmongThousands) {
  constexpr std::size_t many = 20'000;
  acl_batch batch;
  for (std::size_t i = 0; i != many; ++i) batch.add(device_.data(), host_.data(), 1);
  batch.srcs[many - 1] = nullptr;
  batch.srcs[9'999] = nullptr;

  expect_refusal(batch, ACL_ERROR_RT_PARAM_INVALID, 9'999);
}

TEST_F(AclBatch, InAStreamThatIsNoneIsRefused) {
  acl_batch batch = whole();
  aclrtStream gone = nullptr;
  must_acl(aclrtCreateStream(&gone));
  must_acl(aclrtDestroyStream(gone));
  const acl_event event;

  EXPECT_EQ(batch.submit(gone), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(batch.submit(event), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(batch.submit(reinterpret_cast<aclrtStream>(0x1234)), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(batch.submit(&batch), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(AclBatch, InAStreamThatWasDestroyedAfterUseIsRefused) {
  acl_batch batch = whole();
  aclrtStream gone = nullptr;
  must_acl(aclrtCreateStream(&gone));
  EXPECT_ACL_OK(batch.submit(gone));
  must_acl(aclrtDestroyStream(gone));

  EXPECT_EQ(batch.submit(gone), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(batch.fail_index, SIZE_MAX);
}

TEST_F(AclBatch, InAStreamOfAnotherContextIsRefused) {
  aclrtContext mine = nullptr;
  aclrtContext other = nullptr;
  must_acl(aclrtGetCurrentContext(&mine));
  must_acl(aclrtCreateContext(&other, 0));
  acl_batch batch = whole();

  EXPECT_EQ(batch.submit(stream_), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(batch.fail_index, SIZE_MAX);

  EXPECT_ACL_OK(aclrtDestroyContext(other));
  EXPECT_EQ(batch.submit(stream_), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_ACL_OK(aclrtSetCurrentContext(mine));
  EXPECT_ACL_OK(batch.submit(stream_));
}

TEST_F(AclBatch, ChecksItsArgumentsInTheDocumentedOrder) {
  acl_batch batch = whole();
  batch.attributes[0].rsv[0] = 1;
  batch.firsts[0] = 1;
  batch.srcs[0] = nullptr;
  const auto nonsense = reinterpret_cast<aclrtStream>(77);

  EXPECT_EQ(batch.submit(nonsense), ACL_ERROR_INVALID_PARAM);
  batch.attributes[0].rsv[0] = 0;
  EXPECT_EQ(batch.submit(nonsense), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(batch.submit(stream_), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(batch.fail_index, SIZE_MAX);
  batch.firsts[0] = 0;
  EXPECT_EQ(batch.submit(stream_), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(batch.fail_index, 0U);
}

TEST_F(AclBatch, NamesFunctionItemPointerAndWhatItReallyIs) {
  acl_batch batch = whole();
  batch.dsts[10] = host_.data();
  char pointer[32];
  std::snprintf(pointer, sizeof pointer, "%p", static_cast<void*>(host_.data()));

  EXPECT_EQ(batch.submit(stream_), ACL_ERROR_RT_PARAM_INVALID);

  EXPECT_EQ(told(), std::string("aclrtMemcpyBatchAsync: item 10: destination ") + pointer +
                        " is pinned host memory, the attribute says device 0");
}

TEST_F(AclBatch, WithoutFailIndexInItsNameNeedsNone) {
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

TEST_F(AclSyncBatch, HasLandedWhenItReturnsAndWaitsForNoStream) {
  const acl_gate closed(nullptr);
  acl_batch batch = whole();

  EXPECT_ACL_OK(batch.copy());

  EXPECT_EQ(batch.fail_index, SIZE_MAX);
  EXPECT_EQ(contents_of(device_), numbered(all));
}

TEST_F(AclSyncBatch, WithoutFailIndexInItsNameNeedsNone) {
  acl_batch b = whole();

  EXPECT_ACL_OK(aclrtMemcpyBatchV2(b.dsts.data(), b.capacities.data(), b.srcs.data(),
                                   b.sizes.data(), count, b.attributes.data(), b.firsts.data(), 1));

  EXPECT_EQ(contents_of(device_), numbered(all));
}

TEST_F(AclSyncBatch, TakesPageableMemory) {
  bytes own = numbered(all, 4);
  acl_batch batch = side_by_side(device_.data(), own.data(), each, count);

  EXPECT_ACL_OK(batch.copy());

  EXPECT_EQ(contents_of(device_), own);
}

TEST_F(AclSyncBatch, BlamesItemsLikeTheAsynchronousOne) {
  acl_batch batch = whole();
  batch.srcs[3] = device_.data();

  EXPECT_EQ(batch.copy(), ACL_ERROR_RT_PARAM_INVALID);

  EXPECT_EQ(batch.fail_index, 3U);
  EXPECT_EQ(contents_of(device_), zeros(all));
}

TEST_F(AclSyncBatch, HasAtMost4096Items) {
  acl_batch batch;
  for (std::size_t i = 0; i != 4096; ++i) batch.add(device_.data(), host_.data(), 1);

  EXPECT_ACL_OK(batch.copy());
  batch.add(device_.data(), host_.data(), 1);
  EXPECT_EQ(batch.copy(), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(batch.fail_index, SIZE_MAX);
}

}  // namespace
}  // namespace convoy::test
