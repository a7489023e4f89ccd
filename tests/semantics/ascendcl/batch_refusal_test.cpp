#include <cstdint>
#include <cstdio>
#include <functional>

#include "support/ascendcl_batch.hpp"

namespace convoy::test {
namespace {

class AclBatchRefusal : public AclBatch {};

TEST_F(AclBatchRefusal, MissingFailIndexIsRefused) {
  acl_batch b = whole();

  EXPECT_EQ(aclrtMemcpyBatchAsync(b.dsts.data(), b.capacities.data(), b.srcs.data(), b.sizes.data(),
                                  count, b.attributes.data(), b.firsts.data(), 1, nullptr, stream_),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(contents_of(device_), zeros(all));
}

TEST_F(AclBatchRefusal, MissingSizesOrItemsIsRefused) {
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

TEST_F(AclBatchRefusal, AllZeroSizesSucceed) {
  std::size_t sizes[2] = {};
  std::size_t item = 0;

  EXPECT_ACL_OK(aclrtMemcpyBatchAsync(nullptr, nullptr, nullptr, sizes, 2, nullptr, nullptr, 0,
                                      &item, reinterpret_cast<aclrtStream>(77)));
  EXPECT_EQ(item, SIZE_MAX);
}

TEST_F(AclBatchRefusal, MissingArrayIsRefused) {
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

TEST_F(AclBatchRefusal, ReservedByteIsRefused) {
  acl_batch batch = whole();
  batch.attributes[0].rsv[15] = 1;

  expect_refusal(batch, ACL_ERROR_INVALID_PARAM, SIZE_MAX);
}

TEST_F(AclBatchRefusal, BadRunsNameNoItem) {
  const std::vector<std::vector<std::size_t>> wrong{{1}, {0, 0}, {0, 5, 4}, {0, count}};
  for (const auto& firsts : wrong) {
    acl_batch batch = whole();
    batch.firsts = firsts;
    batch.attributes.assign(firsts.size(), to_device);

    expect_refusal(batch, ACL_ERROR_RT_PARAM_INVALID, SIZE_MAX);
  }
}

TEST_F(AclBatchRefusal, AttributeCountIsChecked) {
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

TEST_F(AclBatchRefusal, NullPointerNamesItem) {
  acl_batch batch = whole();
  batch.srcs[4] = nullptr;
  batch.dsts[9] = nullptr;

  expect_refusal(batch, ACL_ERROR_RT_PARAM_INVALID, 4);
}

TEST_F(AclBatchRefusal, ZeroSizeNamesItem) {
  acl_batch batch = whole();
  batch.sizes[0] = 0;

  expect_refusal(batch, ACL_ERROR_RT_PARAM_INVALID, 0);
}

TEST_F(AclBatchRefusal, SizeAboveCapacityPrecedesOtherErrors) {
  const auto break_item = [](acl_batch& b) { b.srcs[4] = nullptr; };
  const auto break_reserved = [](acl_batch& b) { b.attributes[0].rsv[0] = 1; };
  const auto break_runs = [](acl_batch& b) { b.firsts[0] = 1; };
  const auto omit_runs = [](acl_batch& b) {
    b.attributes.clear();
    b.attributes.reserve(1);
  };
  const std::vector<std::function<void(acl_batch&)>> breakers{break_item, break_reserved,
                                                              break_runs, omit_runs};
  for (const auto& also_break : breakers) {
    acl_batch batch = whole();
    also_break(batch);
    batch.capacities[9] = each - 1;

    expect_refusal(batch, ACL_ERROR_INVALID_PARAM, 9);
    EXPECT_EQ(batch.copy(), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(batch.submit(reinterpret_cast<aclrtStream>(77)), ACL_ERROR_INVALID_PARAM);
  }
}

TEST_F(AclBatchRefusal, SizeAboveCapacityNamesItem) {
  acl_batch batch = whole();
  batch.capacities[10] = each - 1;

  expect_refusal(batch, ACL_ERROR_INVALID_PARAM, 10);
}

TEST_F(AclBatchRefusal, WrongLocationNamesItem) {
  acl_batch on_the_host = whole();
  on_the_host.dsts[10] = host_.data();
  acl_batch on_the_device = whole();
  on_the_device.srcs[11] = device_.data();
  acl_batch elsewhere = whole();
  elsewhere.attributes = {{device_1, host_location, {}}};

  expect_refusal(on_the_host, ACL_ERROR_RT_PARAM_INVALID, 10);
  expect_refusal(on_the_device, ACL_ERROR_RT_PARAM_INVALID, 11);
  expect_refusal(elsewhere, ACL_ERROR_RT_PARAM_INVALID, 0);
}

TEST_F(AclBatchRefusal, UnknownLocationTypeIsRefused) {
  for (const int type : {2, 3, 5, -1}) {
    acl_batch batch = whole();
    batch.attributes[0].srcLoc.type = static_cast<aclrtMemLocationType>(type);

    expect_refusal(batch, ACL_ERROR_RT_PARAM_INVALID, 0);
  }
}

TEST_F(AclBatchRefusal, CopyWithinOneSideNamesItem) {
  acl_batch within_host = side_by_side(host_.data(), host_.data() + all / 2, each, 2);
  within_host.attributes = {{host_location, host_location, {}}};
  acl_batch within_device = side_by_side(device_.data(), device_.data() + all / 2, each, 2);
  within_device.attributes = {{device_0, device_0, {}}};

  expect_refusal(within_host, ACL_ERROR_RT_PARAM_INVALID, 0);
  expect_refusal(within_device, ACL_ERROR_RT_PARAM_INVALID, 0);
}

TEST_F(AclBatchRefusal, MixedDirectionNamesItem) {
  acl_batch batch = whole();
  std::swap(batch.dsts[12], batch.srcs[12]);
  batch.attributes = {to_device, to_host, to_device};
  batch.firsts = {0, 12, 13};

  expect_refusal(batch, ACL_ERROR_RT_PARAM_INVALID, 12);
}

TEST_F(AclBatchRefusal, RangeBeyondAllocationNamesItem) {
  acl_batch beyond_source = whole();
  beyond_source.srcs[15] = host_.data() + all - each + 1;
  acl_batch beyond_all = whole();
  beyond_all.sizes[2] = beyond_all.capacities[2] = all * 2;

  expect_refusal(beyond_source, ACL_ERROR_RT_PARAM_INVALID, 15);
  expect_refusal(beyond_all, ACL_ERROR_RT_PARAM_INVALID, 2);
}

TEST_F(AclBatchRefusal, FreedMemoryNamesItem) {
  acl_memory gone = on_device(zeros(each));
  acl_batch batch = whole();
  batch.dsts[5] = gone.data();
  must_acl(gone.free());

  expect_refusal(batch, ACL_ERROR_RT_PARAM_INVALID, 5);
}

TEST_F(AclBatchRefusal, FirstBadItemIsNamed) {
  acl_batch batch = whole();
  batch.sizes[14] = 0;
  batch.srcs[13] = nullptr;

  expect_refusal(batch, ACL_ERROR_RT_PARAM_INVALID, 13);
}

TEST_F(AclBatchRefusal, LongBatchNamesFirstBadItem) {
  constexpr std::size_t many = 20'000;
  acl_batch batch;
  for (std::size_t i = 0; i != many; ++i) batch.add(device_.data(), host_.data(), 1);
  batch.srcs[many - 1] = nullptr;
  batch.srcs[9'999] = nullptr;

  expect_refusal(batch, ACL_ERROR_RT_PARAM_INVALID, 9'999);
}

TEST_F(AclBatchRefusal, UnknownStreamIsRefused) {
  acl_batch batch = whole();
  const aclrtStream gone = destroyed_stream();
  const acl_event event;

  EXPECT_EQ(batch.submit(gone), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(batch.submit(event), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(batch.submit(reinterpret_cast<aclrtStream>(0x1234)), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(batch.submit(&batch), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(AclBatchRefusal, DestroyedStreamIsRefused) {
  acl_batch batch = whole();
  aclrtStream gone = nullptr;
  must_acl(aclrtCreateStream(&gone));
  EXPECT_ACL_OK(batch.submit(gone));
  must_acl(aclrtDestroyStream(gone));

  EXPECT_EQ(batch.submit(gone), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(batch.fail_index, SIZE_MAX);
}

TEST_F(AclBatchRefusal, StreamOfOtherContextIsRefused) {
  const aclrtContext mine = current_context();
  const aclrtContext other = create_context();
  acl_batch batch = whole();

  EXPECT_EQ(batch.submit(stream_), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(batch.fail_index, SIZE_MAX);

  EXPECT_ACL_OK(aclrtDestroyContext(other));
  EXPECT_EQ(batch.submit(stream_), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_ACL_OK(aclrtSetCurrentContext(mine));
  EXPECT_ACL_OK(batch.submit(stream_));
  EXPECT_ACL_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(AclBatchRefusal, ChecksFollowDocumentedOrder) {
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

TEST_F(AclBatchRefusal, MessageNamesItemPointerAndMemory) {
  acl_batch batch = whole();
  batch.dsts[10] = host_.data();
  char pointer[32];
  std::snprintf(pointer, sizeof pointer, "%p", static_cast<void*>(host_.data()));

  EXPECT_EQ(batch.submit(stream_), ACL_ERROR_RT_PARAM_INVALID);

  EXPECT_EQ(recent_errors(), std::string("aclrtMemcpyBatchAsync: item 10: destination ") + pointer +
                                 " is pinned host memory, the attribute says device 0");
}

}  // namespace
}  // namespace convoy::test
