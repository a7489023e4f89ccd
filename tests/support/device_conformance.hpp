// The contract of every device. A device passes with a subject that has a port(), and one
// INSTANTIATE line for each suite; that of boxes is in box_conformance.hpp.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cfenv>
#include <convoy/copy.hpp>
#include <cstring>
#include <span>
#include <thread>
#include <vector>

#include "os/fault_guard.hpp"
#include "os/pages.hpp"
#include "seam/device.hpp"
#include "support/contents.hpp"
#include "support/finish.hpp"
#include "support/reduction_oracle.hpp"
#include "support/unmapped_page.hpp"

namespace convoy::test {

// Copies in the form that a device takes.
inline copy_work work_of(std::span<const copy> copies) {
  copy_work made{copies};
  for (const copy& c : copies) made.totals.add(c);
  return made;
}

// `count` items of `size` bytes, side by side in the source and `stride` apart in the destination.
inline std::vector<copy> spread(std::byte* dst, const std::byte* src, std::size_t count,
                                std::size_t size, std::size_t stride) {
  std::vector<copy> made;
  for (std::size_t i = 0; i != count; ++i) made.push_back({dst + i * stride, src + i * size, size});
  return made;
}

// The contents of a destination that starts at `start` after the copies.
inline bytes landed_in(bytes before, const std::byte* start, std::span<const copy> copies) {
  for (const copy& c : copies) {
    const auto at = static_cast<const std::byte*>(c.dst) - start;
    if (c.bytes != 0) std::memcpy(before.data() + at, c.src, c.bytes);
  }
  return before;
}

template <class Subject>
class DeviceConformance : public testing::Test {
 protected:
  DeviceConformance() { os::install_fault_handler(nullptr); }
  ~DeviceConformance() override { os::unmap_pages(unmapped_, unmapped_bytes); }

  device_port& port() { return subject_.port(); }
  status run(const std::vector<copy>& copies) { return run_on(port(), work_of(copies)); }

  // Runs the copies, all of which write into `dst`, and compares all of it.
  void expect_landed(bytes& dst, const std::vector<copy>& copies) {
    const bytes wanted = landed_in(dst, dst.data(), copies);
    EXPECT_OK(run(copies));
    EXPECT_TRUE(dst == wanted);
  }

  // Of a large range, any thread may report its part.
  void expect_fault(const status& outcome, copy_side side, std::size_t range) {
    EXPECT_EQ(outcome.code, errc::fault);
    EXPECT_EQ(outcome.side, side);
    EXPECT_EQ(outcome.bytes, range);
    EXPECT_LT(static_cast<std::size_t>(static_cast<const std::byte*>(outcome.address) -
                                       static_cast<const std::byte*>(unmapped_)),
              range);
  }

  // Runs the copies with an unmapped source for item `bad`: the status names that item, and the
  // others land.
  void expect_fault_named(bytes& dst, std::vector<copy> copies, std::size_t bad) {
    bytes wanted = dst;
    for (std::size_t i = 0; i != copies.size(); ++i) {
      if (i != bad) wanted = landed_in(std::move(wanted), dst.data(), {&copies[i], 1});
    }
    copies[bad].src = unmapped_;
    const status outcome = run(copies);
    expect_fault(outcome, copy_side::source, copies[bad].bytes);
    EXPECT_EQ(outcome.item, bad);
    EXPECT_TRUE(dst == wanted);
  }

  // Reduces all of one range with another and compares with the reference.
  void expect_reduced(std::size_t size, reduce_kind kind, element type) {
    const bytes src = numbered(size + 1, 5);
    bytes dst = numbered(size);
    bytes wanted = dst;
    reduce_plainly({wanted.data(), &src[1], size, kind, type});
    EXPECT_OK(reduce_on(port(), {dst.data(), &src[1], size, kind, type}));
    EXPECT_TRUE(same_elements(type, dst.data(), wanted.data(), size));
  }

  // Reserved addresses without pages, enough for any item.
  [[nodiscard]] std::byte* unmapped() const { return unmapped_; }

 private:
  static constexpr std::size_t unmapped_bytes = 2 * os::huge_page;

  Subject subject_;
  std::byte* const unmapped_ = static_cast<std::byte*>(os::reserve(unmapped_bytes));
};

TYPED_TEST_SUITE_P(DeviceConformance);

TYPED_TEST_P(DeviceConformance, CopiesEveryByteOfEveryItem) {
  const bytes src = numbered(300);
  bytes dst = zeros(300);

  this->expect_landed(dst,
                      {{&dst[0], &src[0], 1}, {&dst[1], &src[1], 199}, {&dst[250], &src[9], 7}});
}

TYPED_TEST_P(DeviceConformance, CopiesAtAnyAlignment) {
  const bytes src = numbered(400);
  for (std::size_t to = 0; to != 17; ++to) {
    for (std::size_t from = 0; from != 17; ++from) {
      bytes dst = zeros(400);
      this->expect_landed(dst, {{&dst[64 + to], &src[from], 200 + to - from}});
    }
  }
}

TYPED_TEST_P(DeviceConformance, CopiesAnySize) {
  const bytes src = numbered(600);
  for (std::size_t size = 0; size != 520; ++size) {
    bytes dst = zeros(600);
    this->expect_landed(dst, {{&dst[33], &src[7], size}});
  }
}

TYPED_TEST_P(DeviceConformance, EmptyWorkSucceeds) { EXPECT_OK(this->run({})); }

TYPED_TEST_P(DeviceConformance, ZeroByteItemsTouchNothing) {
  const bytes src = numbered(10);
  bytes dst = zeros(10);

  EXPECT_OK(
      this->run({{this->unmapped(), nullptr, 0}, {&dst[0], &src[0], 10}, {nullptr, &src[0], 0}}));

  EXPECT_EQ(dst, src);
}

TYPED_TEST_P(DeviceConformance, LandsOneLargeCopy) {
  const bytes src = numbered((3 << 20) + 21);
  bytes dst = zeros(src.size() + 5);

  this->expect_landed(dst, {{&dst[5], &src[0], src.size()}});
}

TYPED_TEST_P(DeviceConformance, LandsMixedCopySizes) {
  const bytes src = numbered(4 << 20);
  bytes dst = zeros(4 << 20);
  std::vector<copy> copies;
  std::size_t at = 3;
  for (const std::size_t size : {100, 700'001, 1, 0, 65'536, 524'288, 77, 1'500'000, 13}) {
    copies.push_back({&dst[at], &src[at + 1], size});
    at += size + 5;
  }

  this->expect_landed(dst, copies);
}

TYPED_TEST_P(DeviceConformance, LandsAdjacentItems) {
  const bytes src = numbered(40 * 5000);
  bytes dst = zeros(40 * 5000);

  this->expect_landed(dst, spread(dst.data(), src.data(), 5000, 40, 40));
}

TYPED_TEST_P(DeviceConformance, LandsScatteredItems) {
  const bytes src = numbered(40 * 5000);
  bytes dst = zeros(111 * 5000);

  this->expect_landed(dst, spread(dst.data(), src.data(), 5000, 40, 111));
}

TYPED_TEST_P(DeviceConformance, ManyItemsMayReadOneSource) {
  const bytes src = numbered(1000);
  bytes dst = zeros(1000 * 100);
  std::vector<copy> copies;
  for (std::size_t i = 0; i != 100; ++i) copies.push_back({&dst[i * 1000], &src[0], 1000});

  this->expect_landed(dst, copies);
}

TYPED_TEST_P(DeviceConformance, UnmappedSourceNamesItsItem) {
  const bytes src = numbered(100 * 300);
  bytes dst = zeros(100 * 400);

  this->expect_fault_named(dst, spread(dst.data(), src.data(), 100, 300, 400), 37);
}

TYPED_TEST_P(DeviceConformance, FaultAmongManyNamesItsItem) {
  const bytes src = numbered(2000 * 300);
  bytes dst = zeros(2000 * 400);

  this->expect_fault_named(dst, spread(dst.data(), src.data(), 2000, 300, 400), 1777);
}

TYPED_TEST_P(DeviceConformance, FaultInLargeCopyNamesItem) {
  const bytes src = numbered(3 << 20);
  bytes dst = zeros(3 << 20);

  this->expect_fault_named(dst, spread(dst.data(), src.data(), 3, 1 << 20, 1 << 20), 1);
}

TYPED_TEST_P(DeviceConformance, UnmappedDestinationNamesItsItem) {
  const bytes src = numbered(300);
  bytes dst = zeros(300);

  const status outcome = this->run(
      {{&dst[0], &src[0], 100}, {this->unmapped(), &src[100], 100}, {&dst[200], &src[200], 100}});

  EXPECT_EQ(outcome.code, errc::fault);
  EXPECT_EQ(outcome.item, 1U);
  EXPECT_TRUE(std::equal(dst.begin(), dst.begin() + 100, src.begin()));
  EXPECT_TRUE(std::equal(dst.begin() + 200, dst.end(), src.begin() + 200));
}

TYPED_TEST_P(DeviceConformance, FaultInsideRunNamesItsItem) {
  unmapped_page after;
  const bytes src = numbered(unmapped_page::size);
  bytes dst = zeros(unmapped_page::size * 2);

  // The run is contiguous on both sides; its second half reads unmapped addresses.
  const status outcome = this->run({{&dst[0], after.data() + 10, 0},
                                    {&dst[0], &src[0], 1000},
                                    {&dst[1000], after.data(), 1000},
                                    {&dst[2000], after.data() + 1000, 1000}});

  EXPECT_EQ(outcome.code, errc::fault);
  EXPECT_EQ(outcome.item, 2U);
  EXPECT_TRUE(std::equal(dst.begin(), dst.begin() + 1000, src.begin()));
}

TYPED_TEST_P(DeviceConformance, LowestFailedItemIsNamed) {
  const bytes src = numbered(5000 * 100);
  bytes dst = zeros(5000 * 100);
  auto copies = spread(dst.data(), src.data(), 5000, 100, 100);
  for (const std::size_t bad : {4999, 1234, 3000}) copies[bad].src = this->unmapped();

  EXPECT_EQ(this->run(copies).item, 1234U);
}

TYPED_TEST_P(DeviceConformance, WorksAfterManyFaults) {
  const bytes src = numbered(100);
  bytes dst = zeros(100);
  for (int i = 0; i != 100; ++i) {
    EXPECT_EQ(this->run({{&dst[0], this->unmapped(), 10}}).code, errc::fault);
  }

  this->expect_landed(dst, {{&dst[0], &src[0], 100}});
}

TYPED_TEST_P(DeviceConformance, ReducesEveryTypeEveryWay) {
  for (const element type : elements) {
    for (const reduce_kind kind : reduce_kinds) this->expect_reduced(1004, kind, type);
  }
}

TYPED_TEST_P(DeviceConformance, ReducesLargeRange) {
  this->expect_reduced((1 << 20) + 36, reduce_kind::sum, element::float32);
}

TYPED_TEST_P(DeviceConformance, ReducesNothingWithoutBytes) {
  EXPECT_OK(reduce_on(this->port(), {this->unmapped(), this->unmapped(), 0}));
}

TYPED_TEST_P(DeviceConformance, RoundingIgnoresCallersEnvironment) {
  std::fesetround(FE_UPWARD);
  float dst = 1;
  const float src = 0x1p-25F;

  EXPECT_OK(reduce_on(this->port(), {&dst, &src, sizeof src, reduce_kind::sum, element::float32}));

  EXPECT_EQ(dst, 1);
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(FE_TONEAREST);
}

TYPED_TEST_P(DeviceConformance, ReductionOfUnmappedMemoryFails) {
  bytes own = numbered(1 << 20);

  this->expect_fault(reduce_on(this->port(), {own.data(), this->unmapped(), own.size()}),
                     copy_side::source, own.size());
  this->expect_fault(reduce_on(this->port(), {this->unmapped(), own.data(), own.size()}),
                     copy_side::destination, own.size());

  EXPECT_EQ(own, numbered(1 << 20));
}

TYPED_TEST_P(DeviceConformance, ServesSeveralThreadsAtOnce) {
  const bytes src = numbered(1 << 20);
  std::array<bytes, 4> dsts;
  {
    std::vector<std::jthread> threads;
    for (bytes& dst : dsts) {
      threads.emplace_back([&] {
        dst = zeros(src.size());
        for (int round = 0; round != 20; ++round) {
          std::fill(dst.begin(), dst.end(), std::byte{0});
          EXPECT_OK(this->run(spread(dst.data(), src.data(), src.size() / 512, 512, 512)));
        }
      });
    }
  }

  EXPECT_TRUE(std::all_of(dsts.begin(), dsts.end(), [&](const bytes& d) { return d == src; }));
}

REGISTER_TYPED_TEST_SUITE_P(DeviceConformance, CopiesEveryByteOfEveryItem, CopiesAtAnyAlignment,
                            CopiesAnySize, EmptyWorkSucceeds, ZeroByteItemsTouchNothing,
                            LandsOneLargeCopy, LandsMixedCopySizes, LandsAdjacentItems,
                            LandsScatteredItems, ManyItemsMayReadOneSource,
                            UnmappedSourceNamesItsItem, FaultAmongManyNamesItsItem,
                            FaultInLargeCopyNamesItem, UnmappedDestinationNamesItsItem,
                            FaultInsideRunNamesItsItem, LowestFailedItemIsNamed,
                            WorksAfterManyFaults, ReducesEveryTypeEveryWay, ReducesLargeRange,
                            ReducesNothingWithoutBytes, RoundingIgnoresCallersEnvironment,
                            ReductionOfUnmappedMemoryFails, ServesSeveralThreadsAtOnce);

}  // namespace convoy::test
