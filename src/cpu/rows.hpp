// Divides the rows of a box into units that threads take one by one.
//
// Long rows are cut into parts; a unit has many short rows. Parts are numbered across all rows, and
// rows across all slices.
#pragma once

#include <convoy/copy.hpp>
#include <cstddef>

#include "cpu/guarded_copy.hpp"
#include "cpu/plan.hpp"
#include "model/pitched_check.hpp"

namespace convoy::cpu {

class row_plan {
 public:
  explicit row_plan(const box& extent);

  [[nodiscard]] const box& extent() const noexcept { return extent_; }
  [[nodiscard]] std::size_t rows() const noexcept { return extent_.height * extent_.depth; }
  [[nodiscard]] std::size_t bytes() const noexcept { return rows() * extent_.width; }

  [[nodiscard]] std::size_t units() const noexcept;  // at most 2^30
  [[nodiscard]] range parts_of(std::size_t unit) const noexcept;

  [[nodiscard]] std::size_t part_bytes() const noexcept { return part_bytes_; }
  [[nodiscard]] std::size_t parts_per_row() const noexcept { return parts_per_row_; }
  [[nodiscard]] std::size_t row_of(std::size_t part) const noexcept {
    return part / parts_per_row_;
  }

 private:
  const box extent_;
  std::size_t part_bytes_;
  std::size_t parts_per_row_;
  std::size_t parts_per_unit_;
};

// Iterates over parts without a division.
class row_walk {
 public:
  row_walk(const row_plan& plan, std::size_t part) noexcept
      : plan_(plan),
        part_(part % plan.parts_per_row()),
        row_(plan.row_of(part) % plan.extent().height),
        slice_(plan.row_of(part) / plan.extent().height) {}

  [[nodiscard]] std::byte* address_in(const pitched& p) const noexcept {
    return static_cast<std::byte*>(p.start) + slice_ * slice_bytes(p, plan_.extent()) +
           row_ * p.pitch + part_ * plan_.part_bytes();
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    const bool last = part_ + 1 == plan_.parts_per_row();
    return last ? plan_.extent().width - part_ * plan_.part_bytes() : plan_.part_bytes();
  }
  // The number of parts from here that are a pitch apart.
  [[nodiscard]] std::size_t in_line() const noexcept {
    return plan_.parts_per_row() == 1 ? plan_.extent().height - row_ : 1;
  }
  // At most by in_line().
  void step(std::size_t parts = 1) noexcept {
    if (plan_.parts_per_row() == 1) {
      row_ += parts;
    } else if (++part_ == plan_.parts_per_row()) {
      part_ = 0;
      ++row_;
    }
    if (row_ != plan_.extent().height) return;
    row_ = 0;
    ++slice_;
  }

 private:
  const row_plan& plan_;
  std::size_t part_;
  std::size_t row_;
  std::size_t slice_;
};

// Copy or fill every row of these parts that does not fault, and record the rows of the others.
// When many have failed, rows behind the lowest failed one are left out.
void copy_rows(const pitched_copy& work, const row_plan& plan, range parts, kernel_choice kernel,
               lowest_failed_item& failed);
void fill_rows(const pitched& target, const row_plan& plan, range parts, std::uint32_t word,
               store_kind stores, lowest_failed_item& failed);

}  // namespace convoy::cpu
