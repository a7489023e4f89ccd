#include <atomic>
#include <convoy/convoy.hpp>
#include <cstring>

#include "support/contents.hpp"
#include "support/gate.hpp"

namespace convoy {
namespace {

using namespace test;

template <class Number>
Number number_in(const buffer& from) {
  const bytes found = contents_of(from.data(), sizeof(Number));
  Number value;
  std::memcpy(&value, found.data(), sizeof value);
  return value;
}

TEST(StreamValues, WriteIsInStreamOrder) {
  const stream s = new_stream();
  const buffer there = device_holding(zeros(16));
  gate held(s);
  EXPECT_OK(write_value(s, {there.data(), 0x1122334455667788, 8}));

  EXPECT_EQ(number_in<std::uint64_t>(there), 0U);
  held.open();
  EXPECT_OK(s.synchronize());
  EXPECT_EQ(number_in<std::uint64_t>(there), 0x1122334455667788U);
}

TEST(StreamValues, FourByteWriteKeepsNextFour) {
  const stream s = new_stream();
  const buffer there = device_holding(bytes(8, std::byte{0xFF}));

  EXPECT_OK(write_value(s, {there.data(), 7, 4}));
  EXPECT_OK(s.synchronize());

  EXPECT_EQ(number_in<std::uint64_t>(there), 0xFFFFFFFF00000007U);
}

TEST(StreamValues, WaitHoldsStreamUntilWritten) {
  const stream waits = new_stream(first_device, {.blocking = false});
  const stream writes = new_stream(first_device, {.blocking = false});
  const buffer there = device_holding(zeros(8));
  EXPECT_OK(wait_value(waits, {there.data(), 3, 4}, value_test::equal));

  EXPECT_OK(write_value(writes, {there.data(), 2, 4}));
  EXPECT_OK(writes.synchronize());
  EXPECT_EQ(waits.query().code, errc::not_ready);
  EXPECT_OK(write_value(writes, {there.data(), 3, 4}));

  EXPECT_OK(waits.synchronize());
}

TEST(StreamValues, HostWriteEndsWait) {
  const stream waits = new_stream();
  const buffer there = pinned_holding(zeros(8));
  auto& number = *reinterpret_cast<std::uint64_t*>(there.data());
  EXPECT_OK(wait_value(waits, {there.data(), 5, 8}, value_test::at_least));

  EXPECT_EQ(waits.query().code, errc::not_ready);
  std::atomic_ref(number).store(6);

  EXPECT_OK(waits.synchronize());
}

TEST(StreamValues, PassingValueDoesNotHold) {
  const stream s = new_stream();
  const buffer there = device_holding(bytes(4, std::byte{0x80}));
  const std::uint32_t found = 0x80808080;

  EXPECT_OK(wait_value(s, {there.data(), found, 4}, value_test::equal));
  EXPECT_OK(wait_value(s, {there.data(), found - 1, 4}, value_test::at_least));
  EXPECT_OK(wait_value(s, {there.data(), 0x80, 4}, value_test::any_bit));
  EXPECT_OK(wait_value(s, {there.data(), 1, 4}, value_test::not_all_bits));

  EXPECT_OK(s.synchronize());
}

TEST(StreamValues, MisalignedValueIsRefused) {
  const stream s = new_stream();
  const buffer there = device_holding(zeros(64));

  EXPECT_ANSWER(write_value(s, {there.data() + 4, 0, 8}), errc::invalid_argument);
  EXPECT_ANSWER(write_value(s, {there.data() + 2, 0, 4}), errc::invalid_argument);
  EXPECT_ANSWER(write_value(s, {there.data(), 0, 2}), errc::invalid_argument);
  EXPECT_ANSWER(wait_value(s, {there.data() + 1, 0, 4}, value_test::equal), errc::invalid_argument);
  EXPECT_ANSWER(wait_value(s, {there.data(), 0, 4}, value_test{9}), errc::invalid_argument);
}

TEST(StreamValues, UnknownMemoryIsRefused) {
  const stream s = new_stream();
  alignas(8) std::uint64_t own = 0;
  const buffer there = device_holding(zeros(64));

  EXPECT_ANSWER(write_value(s, {&own, 1, 8}), errc::wrong_location);
  EXPECT_ANSWER(write_value(s, {nullptr, 1, 8}), errc::null_pointer);
  EXPECT_ANSWER(write_value(s, {there.data() + 64, 1, 8}), errc::not_an_allocation);
  EXPECT_ANSWER(wait_value(s, {&own, 0, 8}, value_test::equal), errc::wrong_location);
}

}  // namespace
}  // namespace convoy
