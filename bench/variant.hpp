// A way to run a batch of copies, for the runner to compare with others.
//
// A variant lives in a file of its own and adds itself:
//
//   const bool added = add_variant([]() -> variant_or_reason {
//     return variant{.name = "memcpy loop", .kind = family::loop, .run = copy_one_by_one};
//   });
//
// One that cannot work here offers a sentence that says why.

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

// Where sources and destinations lie. All variants run on the same pools.
struct pools {
  std::byte* src = nullptr;
  std::byte* dst = nullptr;
  std::size_t bytes = 0;  // of each
};

// Batches that run one after another, each waited for.
struct workload {
  std::string name;
  std::vector<std::vector<copy>> batches;
  bool cold = true;        // neither end is in any cache
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

  // Before and after every run of a workload: threads are awake for the run and disturb no other.
  std::function<void(const workload&)> wake = [](const workload&) {};
  std::function<void()> park = [] {};

  // Pools that this variant prefers to the ordinary ones, as long as it lives.
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
