#include <unistd.h>

#include <convoy/convoy.hpp>
#include <cstdint>
#include <vector>

#include "support/contents.hpp"
#include "support/gate.hpp"

namespace convoy {
namespace {

using namespace test;

bool aligned(const void* start) { return reinterpret_cast<std::uintptr_t>(start) % 256 == 0; }

TEST(Memory, IsAlignedTo256Bytes) {
  const buffer odd = must(make_device_buffer(first_device, 1));
  const buffer next = must(make_device_buffer(first_device, 257));
  const buffer large = must(make_device_buffer(first_device, (1U << 20) + 1));
  const buffer pinned = must(make_pinned_buffer(3));

  EXPECT_TRUE(aligned(odd.data()));
  EXPECT_TRUE(aligned(next.data()));
  EXPECT_TRUE(aligned(large.data()));
  EXPECT_TRUE(aligned(pinned.data()));
}

TEST(Memory, AllocationsDoNotOverlap) {
  const buffer one = device_holding(numbered(300, 1));
  const buffer two = device_holding(numbered(300, 2));

  put(one.data(), numbered(300, 3));

  EXPECT_EQ(contents_of(two), numbered(300, 2));
}

TEST(Memory, ZeroSizeIsRefused) {
  EXPECT_ANSWER(allocate(first_device, 0), errc::zero_size);
  EXPECT_ANSWER(allocate_pinned(0), errc::zero_size);
  EXPECT_ANSWER(allocate_managed(0), errc::zero_size);
}

TEST(Memory, UnknownDeviceIsRefused) {
  EXPECT_ANSWER(allocate(device_id{-1}, 64), errc::invalid_device);
  EXPECT_ANSWER(allocate(device_id{must(device_count())}, 64), errc::invalid_device);
  EXPECT_ANSWER(memory_stats_of(device_id{-1}), errc::invalid_device);
}

TEST(Memory, SizeAboveCapacityIsRefused) {
  const memory_stats room = must(memory_stats_of(first_device));

  EXPECT_ANSWER(allocate(first_device, room.total + 1), errc::out_of_memory);
  EXPECT_ANSWER(allocate(first_device, SIZE_MAX), errc::out_of_memory);
}

TEST(Memory, PinnedBeyondAvailableIsRefused) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t machine = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * page;

  const auto answer = allocate_pinned(machine - page);

  EXPECT_ANSWER(answer, errc::out_of_memory);
}

TEST(Memory, FullDeviceRefusesUntilFree) {
  const std::size_t half = must(memory_stats_of(first_device)).free / 2;
  const buffer one = must(make_device_buffer(first_device, half));
  buffer two = must(make_device_buffer(first_device, half));

  EXPECT_ANSWER(allocate(first_device, half), errc::out_of_memory);

  two = {};
  EXPECT_OK(make_device_buffer(first_device, half));
}

TEST(Memory, DevicesHaveSeparateCapacity) {
  const std::size_t before = must(memory_stats_of(second_device)).free;

  const buffer taken = must(make_device_buffer(first_device, 1U << 20));

  EXPECT_EQ(must(memory_stats_of(second_device)).free, before);
}

TEST(Memory, StatsFollowAllocations) {
  const memory_stats before = must(memory_stats_of(first_device));
  buffer taken = must(make_device_buffer(first_device, 1U << 20));

  const memory_stats during = must(memory_stats_of(first_device));
  taken = {};
  const memory_stats after = must(memory_stats_of(first_device));

  EXPECT_EQ(before.free - during.free, 1U << 20);
  EXPECT_EQ(after.free, before.free);
  EXPECT_EQ(after.total, before.total);
}

TEST(Memory, UsagesFollowAllocationsAndWork) {
  const buffer taken = must(make_device_buffer(first_device, 1U << 20));
  const stream s = new_stream();
  gate held(s);

  const device_usage during = must(device_usages()).front();
  held.open();
  EXPECT_OK(s.synchronize());
  const device_usage after = must(device_usages()).front();

  EXPECT_EQ(during.used, 1U << 20);
  EXPECT_EQ(during.total, must(memory_stats_of(first_device)).total);
  EXPECT_TRUE(during.busy);
  EXPECT_FALSE(after.busy);
}

TEST(Free, NullIsRefused) { EXPECT_ANSWER(deallocate(nullptr), errc::null_pointer); }

TEST(Free, DoubleFreeIsRefused) {
  void* const start = must(allocate(first_device, 64));

  EXPECT_OK(deallocate(start));
  EXPECT_ANSWER(deallocate(start), errc::not_an_allocation);
}

TEST(Free, ForeignMemoryIsRefused) {
  bytes own = zeros(64);

  const status answer = deallocate(own.data());

  EXPECT_EQ(answer.code, errc::not_an_allocation);
  EXPECT_EQ(answer.address, own.data());
}

TEST(Free, InteriorPointerIsRefused) {
  const buffer whole = device_holding(numbered(512));

  EXPECT_ANSWER(deallocate(whole.data() + 1), errc::not_an_allocation);
  EXPECT_ANSWER(deallocate(whole.data() + 256), errc::not_an_allocation);

  EXPECT_EQ(contents_of(whole), numbered(512));
}

TEST(Free, AcceptsEveryKindOfAllocation) {
  EXPECT_OK(deallocate(must(allocate(second_device, 64))));
  EXPECT_OK(deallocate(must(allocate_pinned(64))));
  EXPECT_OK(deallocate(must(allocate_managed(64))));
}

TEST(StreamOrderedMemory, IsOnDeviceOfStream) {
  const stream on_second = new_stream(second_device);

  void* const start = must(allocate(on_second, 64));

  EXPECT_EQ(must(locate(start)).device, second_device);
  EXPECT_OK(deallocate(on_second, start));
}

TEST(StreamOrderedMemory, IsUsableBetweenAllocationAndFree) {
  const stream s = new_stream();
  const bytes source = numbered(4096);
  bytes back = zeros(4096);

  void* const between = must(allocate(s, 4096));
  EXPECT_OK(submit(s, copy{between, source.data(), 4096}));
  EXPECT_OK(submit(s, copy{back.data(), between, 4096}));
  EXPECT_OK(deallocate(s, between));

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(back, source);
}

TEST(StreamOrderedMemory, DoubleFreeIsRefused) {
  const stream s = new_stream();
  void* const start = must(allocate(s, 64));

  EXPECT_OK(deallocate(s, start));
  EXPECT_ANSWER(deallocate(s, start), errc::not_an_allocation);
}

}  // namespace
}  // namespace convoy
