// From which size and count on a batch is faster, in a sentence.
#pragma once

#include <span>
#include <string>

#include "sweep.hpp"

namespace convoy::tools {

// "Below 16 KiB a batch of 64 or more is 3.1x as fast as a loop of single copies; ..."
std::string crossover_text(std::span<const sweep_point> points);

// For each size the point with the largest count, sorted by size.
std::vector<sweep_point> largest_batches(std::span<const sweep_point> points);

}  // namespace convoy::tools
