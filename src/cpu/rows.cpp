#include "cpu/rows.hpp"

#include <algorithm>

#include "os/fault_guard.hpp"

namespace convoy::cpu {
namespace {

constexpr std::size_t rows_at_a_time = 128;
constexpr std::size_t max_units = std::size_t{1} << 30;

}  // namespace

row_plan::row_plan(const box& extent) : extent_(extent), part_bytes_(extent.width) {
  const std::size_t wanted = unit_bytes_of(bytes());
  if (extent.width >= 2 * wanted) {
    // A multiple of `wanted`, so that no element is cut and every part starts a new pattern.
    part_bytes_ = divide_up(extent.width / max_pieces, wanted) * wanted;
  }
  parts_per_row_ = divide_up(extent.width, part_bytes_);
  parts_per_unit_ = std::max(
      {wanted / part_bytes_, std::size_t{1}, divide_up(rows() * parts_per_row_, max_units)});
}

std::size_t row_plan::units() const noexcept {
  return divide_up(rows() * parts_per_row_, parts_per_unit_);
}

range row_plan::parts_of(std::size_t unit) const noexcept {
  const std::size_t first = unit * parts_per_unit_;
  return {first, std::min(first + parts_per_unit_, rows() * parts_per_row_)};
}

void copy_rows(const pitched_copy& work, const row_plan& plan, range parts, kernel_choice kernel,
               lowest_failed_item& failed) {
  copy some[rows_at_a_time];
  row_walk at(plan, parts.first);
  while (parts.first != parts.last && !failed.leaves_out(plan.row_of(parts.first))) {
    const std::size_t count = std::min({parts.last - parts.first, rows_at_a_time, at.in_line()});
    std::byte* const dst = at.address_in(work.dst);
    const std::byte* const src = at.address_in(work.src);
    for (std::size_t i = 0; i != count; ++i) {
      some[i] = {dst + i * work.dst.pitch, src + i * work.src.pitch, at.bytes()};
    }
    at.step(count);
    lowest_failed_item failed_part;
    copy_range(some, 0, count, kernel, failed_part);
    if (failed_part.any()) {
      access_fault fault = failed_part.fault();
      fault.bytes = plan.extent().width;
      failed.record(plan.row_of(parts.first + failed_part.item()), fault);
    }
    parts.first += count;
  }
}

void fill_rows(const pitched& target, const row_plan& plan, range parts, std::uint32_t word,
               store_kind stores, lowest_failed_item& failed) {
  while (parts.first != parts.last && !failed.leaves_out(plan.row_of(parts.first))) {
    const row_walk at(plan, parts.first);
    const std::size_t count = std::min(parts.last - parts.first, at.in_line());
    volatile std::size_t begun = 0;
    const auto body = [&] {
      fill({at.address_in(target), target.pitch, count, at.bytes(), word}, stores, &begun);
    };
    const void* address = nullptr;
    if (os::run_guarded(body, &address)) {
      parts.first += count;
    } else {
      parts.first += begun;
      const row_walk bad(plan, parts.first);
      access_fault fault =
          fault_of({bad.address_in(target), bad.address_in(target), bad.bytes()}, address);
      failed.record(plan.row_of(parts.first++),
                    {copy_side::destination, fault.address, plan.extent().width});
    }
  }
}

}  // namespace convoy::cpu
