#include "cpu/kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "cpu/kernel_table.hpp"
#include "os/fault_guard.hpp"
#include "support/byte_pattern.hpp"

namespace convoy::cpu {
namespace {

constexpr std::uint8_t guard = 0xa5;
constexpr std::size_t margin = 128;

std::vector<std::uint8_t> numbered(std::size_t bytes) {
  return test::byte_pattern<std::uint8_t>(bytes, 0);
}

// A destination of any size and misalignment with guard bytes on both sides.
class guarded {
 public:
  guarded(std::size_t bytes, std::size_t misaligned)
      : bytes_(bytes), memory_(bytes + 3 * margin, guard) {
    const auto start = reinterpret_cast<std::uintptr_t>(memory_.data());
    begin_ = margin + (-start) % 64 + misaligned;
  }
  std::uint8_t* data() { return memory_.data() + begin_; }
  [[nodiscard]] bool holds(const std::uint8_t* wanted) const {
    const auto at = memory_.begin() + static_cast<std::ptrdiff_t>(begin_);
    return std::equal(at, at + static_cast<std::ptrdiff_t>(bytes_), wanted);
  }
  [[nodiscard]] bool untouched_around() const {
    const auto at = memory_.begin() + static_cast<std::ptrdiff_t>(begin_);
    const auto is_guard = [](std::uint8_t byte) { return byte == guard; };
    return std::all_of(memory_.begin(), at, is_guard) &&
           std::all_of(at + static_cast<std::ptrdiff_t>(bytes_), memory_.end(), is_guard);
  }

 private:
  std::size_t bytes_;
  std::vector<std::uint8_t> memory_;
  std::size_t begin_;
};

struct subject {
  os::vectors set;
  store_kind stores;
};

std::string name_of(const testing::TestParamInfo<subject>& info) {
  const char* sets[] = {"Baseline", "Avx2", "Avx512"};
  const char* hows[] = {"Ordinary", "NonTemporal"};
  return std::string(sets[int(info.param.set)]) + hows[int(info.param.stores)];
}

class Kernels : public testing::TestWithParam<subject> {
 protected:
  void SetUp() override {
    if (GetParam().set > os::this_processor().widest)
      GTEST_SKIP() << "this processor has no such vectors";
  }
  [[nodiscard]] const kernel_table& table() const { return kernels_for(GetParam().set); }
  [[nodiscard]] store_kind stores() const { return GetParam().stores; }

  void copy_one(const copy& c) const {
    volatile std::size_t progress = 0;
    table().scattered({&c, 1, 0, &progress}, {stores()});
  }
  void expect_copied(std::size_t bytes, std::size_t dst_offset, std::size_t src_offset) const {
    const auto src = numbered(bytes + src_offset);
    guarded dst(bytes, dst_offset);
    copy_one({dst.data(), src.data() + src_offset, bytes});
    ASSERT_TRUE(dst.holds(src.data() + src_offset)) << bytes << '+' << dst_offset;
    ASSERT_TRUE(dst.untouched_around()) << bytes << '+' << dst_offset;
  }
  void expect_filled(std::size_t bytes, std::size_t offset) const {
    constexpr std::uint32_t word = 0x04030201;
    std::vector<std::uint8_t> wanted(bytes);
    for (std::size_t i = 0; i < bytes; ++i) wanted[i] = static_cast<std::uint8_t>(i % 4 + 1);
    guarded dst(bytes, offset);
    volatile std::size_t begun = 0;
    table().fill({dst.data(), 0, 1, bytes, word}, stores(), &begun);
    ASSERT_TRUE(dst.holds(wanted.data())) << bytes << '+' << offset;
    ASSERT_TRUE(dst.untouched_around()) << bytes << '+' << offset;
  }
  std::size_t run(const std::vector<copy>& copies, std::size_t first, std::size_t last) const {
    volatile std::size_t progress = SIZE_MAX;
    table().scattered({copies.data() + first, last - first, first, &progress}, {stores(), 3, 128});
    return progress;
  }
};

TEST_P(Kernels, CopySmallSizesAtEveryAlignment) {
  constexpr std::size_t offsets[] = {0, 1, 3, 8, 15, 16, 31, 32, 33, 48, 63};

  for (std::size_t bytes = 0; bytes <= 300; ++bytes)
    for (const std::size_t dst : offsets)
      for (const std::size_t src : {0, 1, 16, 37}) expect_copied(bytes, dst, std::size_t(src));
}

TEST_P(Kernels, CopyLargeSizesAroundRoundOnes) {
  for (const std::size_t round : {1024, 2048, 4096, 8192, 16384, 65536, 1 << 20, 3 << 20})
    for (const std::size_t bytes : {round - 65, round - 1, round, round + 1, round + 63})
      for (const std::size_t offset : {0, 1, 32}) expect_copied(bytes, std::size_t(offset), 5);
}

TEST_P(Kernels, FillSmallSizesAtEveryAlignment) {
  for (std::size_t bytes = 0; bytes <= 300; ++bytes)
    for (std::size_t offset = 0; offset < 64; ++offset) expect_filled(bytes, offset);
}

TEST_P(Kernels, FillLargeSizes) {
  for (const std::size_t bytes : {4095, 4096, 65537, 1 << 20})
    for (const std::size_t offset : {0, 2, 33})
      expect_filled(std::size_t(bytes), std::size_t(offset));
}

TEST_P(Kernels, ScatteredCopiesLandAtTheirDestination) {
  constexpr std::size_t count = 200;
  const auto src = numbered(count * 512);
  std::vector<std::uint8_t> dst(count * 512, guard);
  auto wanted = dst;
  std::vector<copy> copies;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t from = i * 31 % count * 512 + i % 5;
    const std::size_t to = i * 57 % count * 512 + i % 7;
    copies.push_back({&dst[to], &src[from], i * 3 % 400});
    std::copy_n(&src[from], copies.back().bytes, &wanted[to]);
  }

  const std::size_t progress = run(copies, 0, count);

  EXPECT_EQ(dst, wanted);
  EXPECT_EQ(progress, count - 1);
}

TEST_P(Kernels, OnlyItemsInRangeAreCopied) {
  const auto src = numbered(4 * 100);
  std::vector<std::uint8_t> dst(4 * 100, guard);
  std::vector<copy> copies;
  for (const std::size_t at : {300, 200, 100, 0}) copies.push_back({&dst[at], &src[at], 100});
  std::vector<std::uint8_t> wanted(4 * 100, guard);
  std::copy_n(&src[100], 200, &wanted[100]);

  const std::size_t progress = run(copies, 1, 3);

  EXPECT_EQ(dst, wanted);
  EXPECT_EQ(progress, 2U);
}

TEST_P(Kernels, EmptyRangeTouchesNothing) {
  EXPECT_EQ(run({{nullptr, nullptr, 64}}, 1, 1), SIZE_MAX);
}

TEST_P(Kernels, RunFaultNamesItsFirstItem) {
  const auto src = numbered(1000);
  std::vector<std::uint8_t> dst(1000);
  std::vector<copy> copies;
  for (std::size_t at = 0; at < 1000; at += 40) copies.push_back({&dst[at], &src[at], 40});

  const std::size_t progress = run(copies, 0, copies.size());

  EXPECT_EQ(dst, src);
  EXPECT_EQ(progress, 0U);
}

TEST_P(Kernels, RunNeedsBothSidesAdjacent) {
  const auto src = numbered(300);
  std::vector<std::uint8_t> dst(300, guard);
  auto wanted = dst;
  const std::vector<copy> copies{{&dst[0], &src[0], 100}, {&dst[150], &src[100], 100}};
  std::copy_n(&src[0], 100, &wanted[0]);
  std::copy_n(&src[100], 100, &wanted[150]);

  const std::size_t progress = run(copies, 0, 2);

  EXPECT_EQ(dst, wanted);
  EXPECT_EQ(progress, 1U);
}

TEST_P(Kernels, ItemsBeforeFaultProgressHaveLanded) {
  constexpr std::size_t count = 20;
  constexpr std::size_t bad = 13;
  const auto src = numbered(count * 5000);
  std::vector<std::uint8_t> dst(count * 5000);
  std::vector<copy> copies;
  for (std::size_t i = count; i-- != 0;) copies.push_back({&dst[i * 5000], &src[i * 5000], 4990});
  copies[bad].src = reinterpret_cast<const void*>(std::uintptr_t{4096});
  volatile std::size_t progress = 0;
  os::install_fault_handler(nullptr);

  const bool landed = os::run_guarded([&] {
    table().scattered({copies.data(), count, 0, &progress}, {stores(), 4, 128});
  });

  EXPECT_FALSE(landed);
  EXPECT_LE(progress, bad);
  for (std::size_t i = 0; i < progress; ++i)
    EXPECT_EQ(std::memcmp(copies[i].dst, copies[i].src, 4990), 0) << i;
}

TEST_P(Kernels, OverlappingCopyStaysInsideDestination) {
  guarded both(5000, 7);

  copy_one({both.data() + 100, both.data(), 4900});
  copy_one({both.data(), both.data() + 100, 4900});

  EXPECT_TRUE(both.untouched_around());
}

INSTANTIATE_TEST_SUITE_P(EverySet, Kernels,
                         testing::Values(subject{os::vectors::baseline, store_kind::ordinary},
                                         subject{os::vectors::baseline, store_kind::non_temporal},
                                         subject{os::vectors::avx2, store_kind::ordinary},
                                         subject{os::vectors::avx2, store_kind::non_temporal},
                                         subject{os::vectors::avx512, store_kind::ordinary},
                                         subject{os::vectors::avx512, store_kind::non_temporal}),
                         name_of);

TEST(Repeated, WidensValueToWord) {
  EXPECT_EQ(repeated(0x1ab, 1), 0xabababab);
  EXPECT_EQ(repeated(0x5abcd, 2), 0xabcdabcd);
  EXPECT_EQ(repeated(0x12345678, 4), 0x12345678U);
}

constexpr os::processor wide{os::vectors::avx512, 2 << 20, 260 << 20};
constexpr os::processor narrow{os::vectors::avx2, 512 << 10, 32 << 20};

batch_shape same_copies(std::size_t count, std::size_t bytes, std::uintptr_t dst = 0) {
  return {count, {.bytes = count * bytes, .largest = bytes, .line_bits = dst | bytes}};
}

TEST(KernelChoice, CachedBatchesUseOrdinaryStores) {
  EXPECT_EQ(choose(same_copies(512, 4096), wide).stores, store_kind::ordinary);
  EXPECT_EQ(choose(same_copies(512, 4096), narrow).stores, store_kind::ordinary);
}

TEST(KernelChoice, LargeBatchesUseNonTemporalStores) {
  EXPECT_EQ(choose(same_copies(513, 4096), wide).stores, store_kind::non_temporal);
  EXPECT_EQ(choose(same_copies(513, 4096), narrow).stores, store_kind::non_temporal);
}

TEST(KernelChoice, SmallPartialLinesUseOrdinaryStores) {
  EXPECT_EQ(choose(same_copies(1 << 16, 256, 8), narrow).stores, store_kind::ordinary);
  EXPECT_EQ(choose(same_copies(1 << 16, 100), wide).stores, store_kind::ordinary);
}

TEST(KernelChoice, LargePartialLinesAreStreamed) {
  EXPECT_EQ(choose(same_copies(1 << 16, 513), narrow).stores, store_kind::non_temporal);
  EXPECT_EQ(choose(same_copies(1 << 16, 256, 8), wide).stores, store_kind::non_temporal);
}

TEST(KernelChoice, ShortCopiesPrefetchFurtherAhead) {
  EXPECT_EQ(choose(same_copies(1 << 16, 64), wide),
            (kernel_choice{store_kind::non_temporal, 16, 128}));
  EXPECT_EQ(choose(same_copies(1 << 16, 4096), wide),
            (kernel_choice{store_kind::non_temporal, 4, 256, cache_level::l2}));
  EXPECT_EQ(choose(same_copies(1 << 16, 64), narrow),
            (kernel_choice{store_kind::non_temporal, 16, 256}));
  EXPECT_EQ(choose(same_copies(1 << 16, 1024), narrow),
            (kernel_choice{store_kind::non_temporal, 4, 1024}));
}

TEST(KernelChoice, FewLinesArePrefetchedWhole) {
  for (const std::size_t bytes : {128, 256, 1024}) {
    const kernel_choice made = choose(same_copies(1 << 16, bytes), wide);
    EXPECT_GE(made.prefetch_bytes, bytes);
    EXPECT_EQ(made.prefetch_to, cache_level::l2) << bytes;
  }
}

TEST(KernelChoice, CachedBatchesAreNotPrefetched) {
  EXPECT_EQ(choose(same_copies(256, 256), wide), kernel_choice{store_kind::ordinary});
  EXPECT_NE(choose(same_copies(1 << 16, 100), wide).prefetch_distance, 0);
}

TEST(KernelChoice, EmptyBatchNeedsNothing) { EXPECT_EQ(choose({}, wide), kernel_choice{}); }

TEST(BatchShape, TotalsAddUpCopies) {
  alignas(64) std::uint8_t memory[256];
  batch_shape shape;
  shape.add({memory, memory + 1, 64});
  EXPECT_TRUE(shape.totals.whole_lines());

  shape.add({memory + 64, memory, 65});

  EXPECT_FALSE(shape.totals.whole_lines());
  EXPECT_EQ(shape.count, 2U);
  EXPECT_EQ(shape.totals.bytes, 129U);
}

}  // namespace
}  // namespace convoy::cpu
