// An implementation of batched copies, for the runner to compare with others.
//
// A variant lives in a file of its own and adds itself:
//
//   const bool added = add_variant([]() -> variant_or_reason {
//     return variant{.name = "memcpy loop", .kind = family::loop, .run = copy_one_by_one};
//   });
//
// A variant that cannot run here returns a sentence with the reason.

#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "convoy/copy.hpp"

namespace convoy::bench {

// The memory of sources and destinations. All variants run on the same pools.
struct pools {
  std::byte* src = nullptr;
  std::byte* dst = nullptr;
  std::size_t bytes = 0;  // of each
};

// Batches that run one after another; the caller waits for each.
struct workload {
  std::string name;
  std::vector<std::vector<copy>> batches;
  bool cold = true;        // sources and destinations are flushed from the caches
  bool read_next = false;  // the time includes reading every destination afterwards

  [[nodiscard]] std::size_t copies() const;
  [[nodiscard]] std::size_t bytes() const;
};

enum class family { limit, convoy, loop, queue };

struct variant {
  std::string name;
  family kind;

  // Runs one batch and returns when it has landed. Only this is timed.
  std::function<void(std::span<const copy>)> run;

  // Before the first run on a pair of pools.
  std::function<void(const pools&)> set_up = [](const pools&) {};

  // Before and after every run of a workload: threads spin during the run and sleep while other
  // variants run.
  std::function<void(const workload&)> wake = [](const workload&) {};
  std::function<void()> park = [] {};

  // Pools that this variant needs instead of the ordinary ones, for the lifetime of the variant.
  std::function<std::optional<pools>(std::size_t bytes)> allocate = [](std::size_t) {
    return std::optional<pools>();
  };
};

using variant_or_reason = std::variant<variant, std::string>;
using maker = variant_or_reason (*)();

bool add_variant(maker make);

struct variant_set {
  std::vector<variant> variants;  // by family, then by name
  std::vector<std::string> unavailable;
};

variant_set make_variants();

}  // namespace convoy::bench
