#include <array>
#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include "support/ascendcl.hpp"
#include "support/sanitizers.hpp"

namespace convoy::test {
namespace {

constexpr std::size_t threads = 8;
constexpr std::size_t blocks = 64;
constexpr std::size_t block = 1024;
constexpr std::size_t all = blocks * block;

// Sends a thread's own bytes out in a batch, scattered, and back in another.
bool round_trip(aclrtStream stream, unsigned seed) {
  const acl_memory host = on_host(numbered(all, seed));
  const acl_memory device = on_device(zeros(all));
  const acl_memory back = on_host(zeros(all));
  acl_batch out;
  acl_batch in;
  in.attributes = {to_host};
  for (std::size_t i = 0; i != blocks; ++i) {
    std::byte* const page = device.data() + (i * 13 + seed) % blocks * block;
    out.add(page, host.data() + i * block, block);
    in.add(back.data() + i * block, page, block);
  }
  must_acl(out.submit(stream));
  must_acl(in.submit(stream));
  must_acl(aclrtSynchronizeStream(stream));
  return contents_of(back) == numbered(all, seed);
}

class AclStress : public AclTest {};

TEST_F(AclStress, RoundTripsKeepEveryByte) {
  std::array<acl_stream, 4> streams;
  std::atomic<int> wrong = 0;
  std::vector<std::jthread> workers;
  aclrtContext context = nullptr;
  must_acl(aclrtGetCurrentContext(&context));

  for (std::size_t t = 0; t != threads; ++t) {
    workers.emplace_back([&, t] {
      must_acl(aclrtSetCurrentContext(context));
      for (unsigned i = 0; i != (sanitized ? 20U : 200U); ++i) {
        const auto seed = static_cast<unsigned>(t) * 31 + i;
        if (!round_trip(streams[(t + i) % streams.size()], seed)) ++wrong;
      }
    });
  }
  workers.clear();

  EXPECT_EQ(wrong, 0);
}

TEST_F(AclStress, ThreadsCreateAndDestroyEverything) {
  std::vector<std::jthread> workers;
  std::atomic<int> wrong = 0;

  for (std::size_t t = 0; t != threads; ++t) {
    workers.emplace_back([&, t] {
      for (unsigned i = 0; i != (sanitized ? 20U : 200U); ++i) {
        must_acl(aclrtSetDevice(static_cast<std::int32_t>((t + i) % 2)));
        aclrtContext context = nullptr;
        if (i % 3 == 0) must_acl(aclrtCreateContext(&context, 0));
        {
          const acl_stream stream;
          const acl_event event;
          const acl_memory device = on_device(zeros(64));
          must_acl(aclrtMemsetAsync(device.data(), 64, 1, 64, stream));
          must_acl(aclrtRecordEvent(event, stream));
          must_acl(aclrtSynchronizeEvent(event));
          if (contents_of(device) != bytes(64, std::byte{1})) ++wrong;
        }
        if (context != nullptr) must_acl(aclrtDestroyContext(context));
        must_acl(aclrtResetDevice(static_cast<std::int32_t>((t + i) % 2)));
      }
    });
  }
  workers.clear();

  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace convoy::test
