// Sixteen copies of 64 bytes from pinned host memory to device 0, for tests.
#pragma once

#include "support/ascendcl.hpp"

namespace convoy::test {

class AclBatch : public AclTest {
 protected:
  static constexpr std::size_t each = 64;
  static constexpr std::size_t count = 16;
  static constexpr std::size_t all = each * count;

  acl_batch whole() { return side_by_side(device_.data(), host_.data(), each, count); }

  // The batch is refused with the code, names the item, and has copied nothing.
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

}  // namespace convoy::test
