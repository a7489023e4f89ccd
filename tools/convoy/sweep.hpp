// Block sizes against batch counts: one batch, a loop of single copies, a memcpy loop, the limit.
//
// A round runs the same shape once with each of the four, on blocks scattered over a larger pool.
// Ratios are taken within a round, so that other load affects all four alike.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace convoy::tools {

// Medians over the rounds. Ratios are of speed: 2 is twice as fast; 0 where it was not measured.
struct sweep_point {
  std::size_t bytes = 0;  // of a block
  std::size_t count = 0;  // of blocks in a batch
  double gbps = 0;        // of the batch
  double ratio_to_limit = 0;
  double ratio_to_memcpy = 0;
  double ratio_to_loop = 0;
};

struct sweep_plan {
  std::vector<std::size_t> sizes;
  std::vector<std::size_t> counts;
  std::size_t pool_bytes = std::size_t{64} << 20;  // larger batches are left out
  std::chrono::duration<double> budget{0.7};       // for a point
};

// Calls progress(fraction done).
std::vector<sweep_point> run_sweep(const sweep_plan& plan,
                                   const std::function<void(double)>& progress);

void to_json(nlohmann::json& into, const sweep_point& from);
void from_json(const nlohmann::json& from, sweep_point& into);

}  // namespace convoy::tools
