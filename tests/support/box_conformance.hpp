// The contract of every device for rows and slices: pitched copies and fills.
#pragma once

#include "support/broken_rows.hpp"
#include "support/device_conformance.hpp"
#include "support/unmapped_page.hpp"

namespace convoy::test {

template <class Subject>
class BoxConformance : public DeviceConformance<Subject> {};

TYPED_TEST_SUITE_P(BoxConformance);

TYPED_TEST_P(BoxConformance, CopiesRowsOfDifferentPitch) {
  const bytes src = numbered(50 * 20);
  bytes dst = zeros(70 * 20);
  std::vector<copy> rows;
  for (std::size_t y = 0; y != 20; ++y) rows.push_back({&dst[y * 70 + 3], &src[y * 50 + 1], 33});
  const bytes wanted = landed_in(dst, dst.data(), rows);

  EXPECT_OK(run_on(
      this->port(),
      pitched_copy{{&dst[3], 70, 0}, {const_cast<std::byte*>(&src[1]), 50, 0}, {33, 20, 1}}));

  EXPECT_EQ(dst, wanted);
}

TYPED_TEST_P(BoxConformance, CopiesSlicesOfDifferentHeight) {
  const bytes src = numbered(16 * 6 * 4);
  bytes dst = zeros(20 * 5 * 4);
  std::vector<copy> rows;
  for (std::size_t z = 0; z != 4; ++z) {
    for (std::size_t y = 0; y != 5; ++y) {
      rows.push_back({&dst[(z * 5 + y) * 20], &src[(z * 6 + y) * 16], 11});
    }
  }
  const bytes wanted = landed_in(dst, dst.data(), rows);

  EXPECT_OK(
      run_on(this->port(),
             pitched_copy{{&dst[0], 20, 0}, {const_cast<std::byte*>(&src[0]), 16, 6}, {11, 5, 4}}));

  EXPECT_EQ(dst, wanted);
}

TYPED_TEST_P(BoxConformance, CopiesLargeBox) {
  bytes src = numbered(4100 * 500);
  bytes dst = zeros(4200 * 500);
  std::vector<copy> rows;
  for (std::size_t y = 0; y != 500; ++y) rows.push_back({&dst[y * 4200], &src[y * 4100], 4099});
  const bytes wanted = landed_in(dst, dst.data(), rows);

  EXPECT_OK(
      run_on(this->port(), pitched_copy{{&dst[0], 4200, 0}, {&src[0], 4100, 0}, {4099, 500, 1}}));

  EXPECT_TRUE(dst == wanted);
}

TYPED_TEST_P(BoxConformance, CopiesManyShortRows) {
  bytes src = numbered(40 * 6000);
  bytes dst = zeros(24 * 6000);
  std::vector<copy> rows;
  for (std::size_t y = 0; y != 6000; ++y) rows.push_back({&dst[y * 24], &src[y * 40], 23});
  const bytes wanted = landed_in(dst, dst.data(), rows);

  EXPECT_OK(run_on(this->port(), pitched_copy{{&dst[0], 24, 0}, {&src[0], 40, 0}, {23, 2000, 3}}));

  EXPECT_TRUE(dst == wanted);
}

TYPED_TEST_P(BoxConformance, CopiesAndFillsLongRows) {
  constexpr std::size_t width = (1 << 20) + 100;
  constexpr std::size_t pitch = width + 28;
  bytes src = numbered(3 * width);
  bytes dst = zeros(3 * pitch);
  std::vector<copy> rows;
  for (std::size_t y = 0; y != 3; ++y) rows.push_back({&dst[y * pitch], &src[y * width], width});
  bytes wanted = landed_in(dst, dst.data(), rows);

  EXPECT_OK(
      run_on(this->port(), pitched_copy{{&dst[0], pitch, 0}, {&src[0], width, 0}, {width, 3, 1}}));
  EXPECT_TRUE(dst == wanted);

  for (std::size_t i = 0; i != 3 * width; ++i)
    wanted[i / width * pitch + i % width] = std::byte(i % width % 4 + 1);
  EXPECT_OK(fill_on(this->port(), {&dst[0], pitch, 0}, {width, 3, 1}, {0x04030201, 4}));
  EXPECT_TRUE(dst == wanted);
}

TYPED_TEST_P(BoxConformance, EmptyBoxMovesNothing) {
  for (const box& extent : {box{0, 3, 3}, box{3, 0, 3}, box{3, 3, 0}}) {
    EXPECT_OK(run_on(this->port(),
                     pitched_copy{{this->unmapped(), 9, 0}, {this->unmapped(), 9, 0}, extent}));
    EXPECT_OK(fill_on(this->port(), {this->unmapped(), 9, 0}, extent, {}));
  }
}

TYPED_TEST_P(BoxConformance, UnmappedRowFailsOthersLand) {
  unmapped_page second_row;
  bytes dst = zeros(3 * 100);
  bytes src = numbered(100);
  const std::size_t pitch = static_cast<std::size_t>(second_row.data() - src.data());

  // The first row is mapped and the second is not.
  const status outcome =
      run_on(this->port(), pitched_copy{{&dst[0], 100, 0}, {&src[0], pitch, 0}, {100, 2, 1}});

  EXPECT_EQ(outcome.code, errc::fault);
  EXPECT_TRUE(std::equal(src.begin(), src.end(), dst.begin()));
}

TYPED_TEST_P(BoxConformance, LowestUnmappedRowIsNamed) {
  constexpr std::size_t page = broken_rows::page;
  bytes wanted = numbered(broken_rows::bytes);
  const broken_rows rows(wanted, {57, 200, 201});
  for (const std::size_t row : rows.broken()) std::fill_n(&wanted[row * page], page, std::byte{0});
  bytes dst = zeros(broken_rows::bytes);

  const status copied = run_on(
      this->port(), pitched_copy{{&dst[0], page, 0}, {rows.data(), page, 0}, broken_rows::extent});
  EXPECT_EQ(copied, (status{errc::fault, copy_side::source, 57, rows.data() + 57 * page, page}));
  EXPECT_TRUE(dst == wanted);

  const status filled = fill_on(this->port(), {rows.data(), page, 0}, broken_rows::extent, {9, 1});
  EXPECT_EQ(filled,
            (status{errc::fault, copy_side::destination, 57, rows.data() + 57 * page, page}));
  EXPECT_TRUE(rows.hold_only(std::byte{9}));
}

TYPED_TEST_P(BoxConformance, FillsWithEveryUnit) {
  const std::array<bytes, 3> patterns{
      bytes{std::byte{0x78}}, bytes{std::byte{0x78}, std::byte{0x56}},
      bytes{std::byte{0x78}, std::byte{0x56}, std::byte{0x34}, std::byte{0x12}}};
  for (const bytes& pattern : patterns) {
    bytes dst = zeros(4000);
    bytes wanted = dst;
    for (std::size_t i = 0; i != 1200; ++i) wanted[400 + i] = pattern[i % pattern.size()];

    const auto unit = static_cast<std::uint8_t>(pattern.size());
    EXPECT_OK(fill_on(this->port(), {&dst[400], 1200, 0}, {1200, 1, 1}, {0x12345678, unit}));

    EXPECT_EQ(dst, wanted);
  }
}

TYPED_TEST_P(BoxConformance, FillsLargeLine) {
  bytes dst = zeros((1 << 20) + 100);
  bytes wanted = dst;
  for (std::size_t i = 0; i != (1 << 20) - 4; ++i) wanted[8 + i] = std::byte(i % 4 + 1);

  EXPECT_OK(fill_on(this->port(), {&dst[8], 0, 0}, {(1 << 20) - 4, 1, 1}, {0x04030201, 4}));

  EXPECT_TRUE(dst == wanted);
}

TYPED_TEST_P(BoxConformance, FillLeavesGapsUntouched) {
  bytes dst = zeros(64 * 9 * 3);
  bytes wanted = dst;
  for (std::size_t z = 0; z != 3; ++z) {
    for (std::size_t y = 0; y != 7; ++y) std::fill_n(&wanted[(z * 9 + y) * 64], 34, std::byte{7});
  }

  EXPECT_OK(fill_on(this->port(), {&dst[0], 64, 9}, {34, 7, 3}, {0x0707, 2}));

  EXPECT_EQ(dst, wanted);
}

TYPED_TEST_P(BoxConformance, FillOfUnmappedMemoryFails) {
  EXPECT_EQ(fill_on(this->port(), {this->unmapped(), 10, 0}, {10, 1, 1}, {1, 1}).code, errc::fault);
}

REGISTER_TYPED_TEST_SUITE_P(BoxConformance, CopiesRowsOfDifferentPitch,
                            CopiesSlicesOfDifferentHeight, CopiesLargeBox, CopiesManyShortRows,
                            CopiesAndFillsLongRows, EmptyBoxMovesNothing,
                            UnmappedRowFailsOthersLand, LowestUnmappedRowIsNamed,
                            FillsWithEveryUnit, FillsLargeLine, FillLeavesGapsUntouched,
                            FillOfUnmappedMemoryFails);

}  // namespace convoy::test
