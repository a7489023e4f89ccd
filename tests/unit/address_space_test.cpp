#include "memory/address_space.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "support/outcome.hpp"

namespace convoy::memory {
namespace {

using test::must;

constexpr std::size_t mib = 1 << 20;
constexpr device_id first{0};
constexpr device_id second{1};

std::uintptr_t as_number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }
std::byte* as_bytes(void* pointer) { return static_cast<std::byte*>(pointer); }

class AddressSpace : public testing::Test {
 protected:
  void expect_window(void* start, std::size_t bytes, memory_kind kind,
                     device_id device = {}) const {
    for (const std::size_t inside : {std::size_t{0}, bytes / 2, bytes - 1}) {
      const window found = space_->window_of(as_bytes(start) + inside);
      EXPECT_EQ(found.start, as_number(start));
      EXPECT_EQ(found.bytes, bytes);
      EXPECT_EQ(found.kind, kind);
      EXPECT_EQ(found.device, device);
      EXPECT_EQ(found.shift, 0);
    }
  }

  std::unique_ptr<address_space> space_ = address_space::make(
      {.devices = 2, .device_capacity = 256 * mib, .host_capacity = 64 * mib, .isolated = false});
  std::vector<std::byte> own_ = std::vector<std::byte>(4096);
};

TEST_F(AddressSpace, MemoryOfEveryKindIsClassified) {
  expect_window(must(space_->allocate(first, 1000)), 1000, memory_kind::device, first);
  expect_window(must(space_->allocate(second, 3 * mib)), 3 * mib, memory_kind::device, second);
  expect_window(must(space_->allocate_pinned(1000)), 1000, memory_kind::pinned);
  expect_window(must(space_->allocate_managed(1000)), 1000, memory_kind::managed);
  EXPECT_OK(space_->add_registered(own_.data(), 1000));
  expect_window(own_.data(), 1000, memory_kind::registered);
}

TEST_F(AddressSpace, OtherMemoryIsPageable) {
  const window found = space_->window_of(own_.data());

  EXPECT_EQ(found.kind, memory_kind::pageable);
  EXPECT_TRUE(found.contains(own_.data(), own_.size()));
  EXPECT_EQ(must(space_->locate(own_.data())), pointer_attributes{});
}

TEST_F(AddressSpace, PageableWindowEndsAtRegisteredMemory) {
  EXPECT_OK(space_->add_registered(&own_[1000], 1000));

  EXPECT_TRUE(space_->window_of(&own_[0]).contains(&own_[0], 1000));
  EXPECT_FALSE(space_->window_of(&own_[0]).contains(&own_[0], 1001));
  EXPECT_FALSE(space_->window_of(&own_[2000]).contains(&own_[1999], 2));
}

TEST_F(AddressSpace, PageableWindowEndsAtReservation) {
  void* const lowest = must(space_->allocate(first, 1));

  const window below = space_->window_of(as_bytes(lowest) - 1);

  EXPECT_EQ(below.kind, memory_kind::pageable);
  EXPECT_FALSE(below.contains(as_bytes(lowest) - 1, 2));
}

TEST_F(AddressSpace, NullIsInNoWindow) {
  EXPECT_FALSE(space_->window_of(nullptr).contains(nullptr, 1));
}

TEST_F(AddressSpace, LocatesInteriorPointers) {
  void* const start = must(space_->allocate(second, 1000));

  const pointer_attributes found = must(space_->locate(as_bytes(start) + 300));

  EXPECT_EQ(found, (pointer_attributes{memory_kind::device, second, start, 1000, 700}));
}

TEST_F(AddressSpace, LocateRefusesUnallocatedMemory) {
  void* const start = must(space_->allocate(first, 1000));

  EXPECT_ANSWER(space_->locate(as_bytes(start) + 1000), errc::not_an_allocation);
  EXPECT_ANSWER(space_->locate(as_bytes(start) + mib), errc::not_an_allocation);
}

TEST_F(AddressSpace, RefusesBadAllocations) {
  EXPECT_ANSWER(space_->allocate(device_id{2}, 1), errc::invalid_device);
  EXPECT_ANSWER(space_->allocate(device_id{-1}, 1), errc::invalid_device);
  EXPECT_ANSWER(space_->allocate(first, 0), errc::zero_size);
  EXPECT_ANSWER(space_->allocate(first, 256 * mib + 1), errc::out_of_memory);
}

TEST_F(AddressSpace, CountsBytesUsedPerDevice) {
  static_cast<void>(must(space_->allocate(first, 512)));

  EXPECT_EQ(space_->used(first), 512U);
  EXPECT_EQ(space_->used(second), 0U);
}

TEST_F(AddressSpace, RetireNeedsStartOfLiveAllocation) {
  void* const start = must(space_->allocate(first, 1000));

  EXPECT_ANSWER(space_->retire(nullptr), errc::null_pointer);
  EXPECT_ANSWER(space_->retire(own_.data()), errc::not_an_allocation);
  EXPECT_ANSWER(space_->retire(as_bytes(start) + 1), errc::not_an_allocation);
  EXPECT_OK(space_->retire(start));
  EXPECT_ANSWER(space_->retire(start), errc::not_an_allocation);
}

TEST_F(AddressSpace, OnlyEarlierStepsSeeRetiredMemory) {
  void* const start = must(space_->allocate(first, 1000));
  const std::uint64_t before = space_->retirements();

  const retired gone = must(space_->retire(start));

  EXPECT_EQ(space_->window_of(start).bytes, 0U);
  EXPECT_EQ(space_->window_of(start, before).bytes, 1000U);
  EXPECT_EQ(space_->window_of(start, space_->retirements()).bytes, 0U);
  space_->reclaim(gone);
  EXPECT_EQ(space_->window_of(start, before).bytes, 0U);
}

TEST_F(AddressSpace, RefusesBadRegistrations) {
  void* const convoys = must(space_->allocate_pinned(1000));

  EXPECT_ANSWER(space_->add_registered(nullptr, 1), errc::null_pointer);
  EXPECT_ANSWER(space_->add_registered(own_.data(), 0), errc::zero_size);
  EXPECT_ANSWER(space_->add_registered(own_.data(), SIZE_MAX), errc::invalid_argument);
  EXPECT_ANSWER(space_->add_registered(convoys, 10), errc::already_registered);
  EXPECT_OK(space_->add_registered(own_.data(), 100));
  EXPECT_ANSWER(space_->add_registered(&own_[99], 10), errc::already_registered);
  EXPECT_ANSWER(space_->remove_registered(&own_[1]), errc::not_registered);
}

TEST_F(AddressSpace, FindsAHundredThousandAllocations) {
  std::mt19937 random(3);
  std::vector<std::pair<std::byte*, std::size_t>> live;
  for (int i = 0; i != 100'000; ++i) {
    const std::size_t bytes = 1 + random() % 2000;
    live.emplace_back(as_bytes(must(space_->allocate(device_id{i % 2}, bytes))), bytes);
  }

  std::size_t found = 0;
  for (const auto& [start, bytes] : live) {
    const window w = space_->window_of(start + random() % bytes);
    found += w.start == as_number(start) && w.bytes == bytes ? 1 : 0;
  }

  EXPECT_EQ(found, live.size());
}

TEST(IsolatedAddressSpace, OnlyDeviceMemoryIsShifted) {
  const auto space = address_space::make(
      {.devices = 2, .device_capacity = 8 * mib, .host_capacity = 8 * mib, .isolated = true});
  void* const device = must(space->allocate(second, 1000));
  void* const pinned = must(space->allocate_pinned(1000));

  EXPECT_NE(space->window_of(device).shift, 0);
  EXPECT_EQ(space->window_of(pinned).shift, 0);
  EXPECT_EQ(space->window_of(pinned).engine_address(pinned), pinned);
  EXPECT_TRUE(space->in_device_range(device));
  EXPECT_FALSE(space->in_device_range(pinned));
  std::memset(space->window_of(device).engine_address(device), 1, 1000);
}

TEST(Window, ContainsRangesThatStayInside) {
  const window w{.start = 1000, .bytes = 100, .shift = 0, .kind = {}, .device = {}};
  const auto at = [](std::uintptr_t address) { return reinterpret_cast<const void*>(address); };

  EXPECT_TRUE(w.contains(at(1000), 100));
  EXPECT_TRUE(w.contains(at(1099), 1));
  EXPECT_FALSE(w.contains(at(1000), 101));
  EXPECT_FALSE(w.contains(at(999), 1));
  EXPECT_FALSE(w.contains(at(1100), 1));
  EXPECT_FALSE(w.contains(at(1000), 0));
  EXPECT_FALSE(w.contains(at(1001), SIZE_MAX));
}

}  // namespace
}  // namespace convoy::memory
