// Where a batch begins to pay off, in words.
#pragma once

#include <span>
#include <string>

#include "sweep.hpp"

namespace convoy::tools {

// "Below 16 KiB a batch of 64 or more wins over a loop of single copies by 3.1x."
std::string crossover_text(std::span<const sweep_point> points);

// For each size the point with the most copies, by size.
std::vector<sweep_point> largest_batches(std::span<const sweep_point> points);

}  // namespace convoy::tools
