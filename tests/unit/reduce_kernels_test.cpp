#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "cpu/kernel_table.hpp"
#include "support/reduction_oracle.hpp"

namespace convoy::cpu {
namespace {

using namespace test;
using subject = std::tuple<os::vectors, element>;

std::string name_of(const testing::TestParamInfo<subject>& info) {
  const char* sets[] = {"Baseline", "Avx2", "Avx512"};
  const char* types[] = {"Int8", "Int16", "Int32", "Uint32", "Float16", "Bfloat16", "Float32"};
  const auto [set, type] = info.param;
  return std::string(sets[int(set)]) + types[int(type)];
}

// So many random bits include every class of number: infinite, subnormal, NaN.
std::vector<std::byte> random_bytes(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> made(count);
  for (std::byte& each : made) each = static_cast<std::byte>(random());
  return made;
}

class ReduceKernels : public testing::TestWithParam<subject> {
 protected:
  void SetUp() override {
    if (std::get<0>(GetParam()) > os::this_processor().widest)
      GTEST_SKIP() << "this processor has no such vectors";
  }
  [[nodiscard]] element type() const { return std::get<1>(GetParam()); }
  [[nodiscard]] const kernel_table& table() const { return kernels_for(std::get<0>(GetParam())); }

  // Combines elements that start `to` bytes into one range and `from` into another, and compares
  // all of the first with the expected result.
  void expect_combined(reduce_kind kind, std::size_t count, std::size_t to,
                       std::size_t from) const {
    const std::size_t bytes = count * bytes_of(type());
    const auto src = random_bytes(bytes + from, 1);
    auto dst = random_bytes(to + bytes + 64, 2);
    auto wanted = dst;
    reduce_plainly({&wanted[to], &src[from], bytes, kind, type()});

    reduce_with(table(), {&dst[to], &src[from], bytes, kind, type()});

    ASSERT_TRUE(same_elements(type(), &dst[to], &wanted[to], bytes)) << count << '+' << to;
    ASSERT_EQ(std::memcmp(&dst[0], &wanted[0], to), 0) << count << '+' << to;
    ASSERT_EQ(std::memcmp(&dst[to + bytes], &wanted[to + bytes], 64), 0) << count << '+' << to;
  }
};

TEST_P(ReduceKernels, ReduceSmallCountsAtAnyAlignment) {
  for (const reduce_kind kind : reduce_kinds)
    for (std::size_t count = 0; count != 140; ++count)
      for (const std::size_t to : {0, 1, 2, 31}) expect_combined(kind, count, to, 37 - to);
}

TEST_P(ReduceKernels, ReduceEveryKindOfNumber) {
  for (const reduce_kind kind : reduce_kinds) expect_combined(kind, 100'000, 0, 0);
}

TEST_P(ReduceKernels, ReduceRangeWithItself) {
  for (const reduce_kind kind : reduce_kinds) {
    auto dst = random_bytes(4000, 3);
    auto wanted = dst;
    reduce_plainly({wanted.data(), wanted.data(), 4000, kind, type()});

    reduce_with(table(), {dst.data(), dst.data(), 4000, kind, type()});

    EXPECT_TRUE(same_elements(type(), dst.data(), wanted.data(), 4000));
  }
}

INSTANTIATE_TEST_SUITE_P(AllSets, ReduceKernels,
                         testing::Combine(testing::Values(os::vectors::baseline, os::vectors::avx2,
                                                          os::vectors::avx512),
                                          testing::ValuesIn(elements)),
                         name_of);

// All pairs of one number with all others, of the small formats.
class ShortFloats : public testing::TestWithParam<element> {};

TEST_P(ShortFloats, EverySumRoundsToNearest) {
  std::vector<std::uint16_t> all(65536);
  for (std::size_t i = 0; i != all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
  for (std::uint32_t other = 0; other < 65536; other += 997) {
    std::vector<std::uint16_t> found = all;
    std::vector<std::uint16_t> wanted = all;
    const std::vector<std::uint16_t> src(all.size(), static_cast<std::uint16_t>(other));
    const std::size_t bytes = all.size() * 2;
    reduce_plainly({wanted.data(), src.data(), bytes, reduce_kind::sum, GetParam()});

    kernels_for(os::this_processor().widest)
        .reduce({found.data(), src.data(), bytes, reduce_kind::sum, GetParam()});

    ASSERT_TRUE(same_elements(GetParam(), reinterpret_cast<const std::byte*>(found.data()),
                              reinterpret_cast<const std::byte*>(wanted.data()), bytes))
        << other;
  }
}

INSTANTIATE_TEST_SUITE_P(Both, ShortFloats, testing::Values(element::float16, element::bfloat16));

}  // namespace
}  // namespace convoy::cpu
