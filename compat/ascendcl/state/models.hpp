// The models that CONVOY_SOC can name, and what each can do.
#pragma once

#include <convoy/copy.hpp>
#include <convoy/reduction.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "state/outcome.hpp"

namespace convoy::ascendcl {

enum class feature : std::uint8_t {
  batches,
  descriptors,
  offset_copies,
  word_fills,
  pitched_on_device,  // two-dimensional copies within a device
  cache_descriptors,
  error_details,
  die_links,  // two dies a chip, with a link of their own; other servers
};

// Reductions by any of the kinds with any of the types, a bit for each.
struct reduction_set {
  std::uint8_t kinds;
  std::uint8_t types;

  [[nodiscard]] bool has(reduce_kind kind, element type) const noexcept {
    return (kinds >> static_cast<unsigned>(kind) & 1U) != 0 &&
           (types >> static_cast<unsigned>(type) & 1U) != 0;
  }
};

struct family {
  std::string_view prefix;  // of the names of its models
  std::uint16_t features;   // a bit for each
  std::uint32_t most_streams;
  std::uint8_t spare_bytes;  // that aclrtMalloc adds behind an allocation
  std::uint16_t cube_cores;
  std::uint16_t vector_cores;
  std::uint16_t architecture;
  std::uint32_t l2_bytes;
  descriptor_layout descriptor;
  reduction_set reduces;

  [[nodiscard]] bool has(feature f) const noexcept {
    return (features >> static_cast<unsigned>(f) & 1U) != 0;
  }
};

struct model {
  std::string name;
  family of;
  bool on_device = false;  // the program runs on the device itself: CONVOY_RUN_MODE=rc
};

model configured_model();

// The one that is configured. Ascend910B1 beside its host when the configuration is wrong, which
// every call that needs the engine then answers.
inline const model& this_model() {
  static const auto* const only = new model(configured_model());
  return *only;
}

// What the model answers that does not have the feature.
outcome lacking(feature f);

// 207000 unless the model has the feature.
inline outcome demand(feature f) { return this_model().of.has(f) ? outcome{} : lacking(f); }

// The same without being kept.
inline outcome demand_lightly(feature f) { return {demand(f).code, false}; }

}  // namespace convoy::ascendcl
