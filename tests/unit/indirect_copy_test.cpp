#include <gtest/gtest.h>

#include <array>
#include <convoy/buffer.hpp>
#include <convoy/stream.hpp>
#include <cstring>
#include <vector>

#include "support/eventually.hpp"
#include "support/gate.hpp"
#include "support/outcome.hpp"

namespace convoy::test {
namespace {

constexpr device_id first_device{0};

// A descriptor on the device of a copy of some numbers from the device to pinned memory.
struct described_copy {
  static constexpr std::size_t bytes = 1000;

  stream in = must(make_stream(first_device));
  buffer descriptor = must(make_device_buffer(first_device, 32));
  buffer src = must(make_device_buffer(first_device, bytes));
  buffer dst = must(make_pinned_buffer(bytes));
  const std::vector<std::byte> numbers = std::vector(bytes, std::byte{42});

  described_copy() {
    std::array<std::byte, 32> draft = {};
    const void* const ends[] = {src.data(), dst.data()};
    const std::uint32_t length = bytes;
    std::memcpy(draft.data() + 16, ends, sizeof ends);
    std::memcpy(draft.data() + 12, &length, sizeof length);
    EXPECT_OK(copy_sync(in, {src.data(), numbers.data(), bytes}));
    EXPECT_OK(copy_sync(in, {descriptor.data(), draft.data(), draft.size()}));
  }
  [[nodiscard]] bool arrived() const { return std::memcmp(dst.data(), numbers.data(), bytes) == 0; }
};

TEST(IndirectCopy, MemoryFreedWhileWaitingStaysValid) {
  described_copy one;
  gate holding(one.in);

  EXPECT_OK(copy_indirect(one.in, one.descriptor.data()));
  one.src = {};
  one.descriptor = {};
  holding.open();

  EXPECT_OK(one.in.synchronize(test::time_limit));
  EXPECT_TRUE(one.arrived());
}

TEST(IndirectCopy, RunsBeforeLaterStreamOrderedFree) {
  described_copy one;
  void* const scratch = must(allocate(one.in, one.bytes));
  EXPECT_OK(submit(one.in, {scratch, one.src.data(), one.bytes}));
  const void* const from[] = {scratch};
  EXPECT_OK(copy_sync(one.in, {one.descriptor.data() + 16, from, sizeof from}));
  gate holding(one.in);

  EXPECT_OK(copy_indirect(one.in, one.descriptor.data()));
  EXPECT_OK(deallocate(one.in, scratch));
  holding.open();

  EXPECT_OK(one.in.synchronize(test::time_limit));
  EXPECT_TRUE(one.arrived());
}

TEST(IndirectCopy, MemoryFreedBeforeSubmissionFails) {
  described_copy one;
  const gate holding(must(make_stream(first_device)).release());
  one.src = {};

  EXPECT_OK(copy_indirect(one.in, one.descriptor.data()));

  EXPECT_ANSWER(one.in.synchronize(test::time_limit), errc::not_an_allocation);
}

}  // namespace
}  // namespace convoy::test
