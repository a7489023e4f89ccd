// Baselines for copies: a memcpy loop on one thread, and the copy kernels on every CPU with nothing
// around them (no stream order, no validation, no fault guard), which is the most that this machine
// can copy.
#pragma once

#include <chrono>
#include <convoy/copy.hpp>
#include <cstddef>
#include <span>
#include <vector>

#include "cpu/kernels.hpp"
#include "shared/thread_team.hpp"

namespace convoy::tools {

using seconds = std::chrono::duration<double>;

void copy_with_memcpy(std::span<const copy> copies);

// The kernels that Convoy chooses for a batch of these copies.
cpu::kernel_choice convoys_kernels(std::span<const copy> copies);

// A batch cut into pieces beforehand, so that threads share nothing but a cursor.
struct split_batch {
  std::vector<copy> pieces;
  std::size_t unit = 1;  // pieces that a thread takes at a time

  // Splitting the batch among threads would take longer than copying it.
  [[nodiscard]] bool is_one_unit() const { return pieces.size() <= unit; }
};

split_batch split(std::span<const copy> copies);

void copy_alone(const split_batch& batch, cpu::kernel_choice kernels);

// On all threads of the team, which must be awake.
void copy_together(thread_team& team, const split_batch& batch, cpu::kernel_choice kernels);

// The same with a parked team; the time does not include waking it.
seconds time_together(thread_team& team, const split_batch& batch, cpu::kernel_choice kernels);

// The kernels that are fastest for these copies here and now. Convoy's own choice is among those
// tried.
cpu::kernel_choice fastest_kernels(thread_team& team, std::span<const copy> copies);

}  // namespace convoy::tools
