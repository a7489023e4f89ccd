// The models that CONVOY_SOC can name, and what each can do.
#pragma once

#include <convoy/copy.hpp>
#include <convoy/reduction.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "shared/process_lifetime.hpp"
#include "state/call_status.hpp"

namespace convoy::ascendcl {

enum class feature : std::uint8_t {
  batches,
  descriptors,
  offset_copies,
  d32_fills,
  pitched_on_device,  // two-dimensional copies within a device
  cache_descriptors,
  error_details,
  die_links,  // two dies a chip, with a link of their own; other servers
};

// Reductions by any of the kinds with any of the types, a bit for each.
struct reduction_set {
  std::uint8_t kinds;
  std::uint8_t types;

  [[nodiscard]] bool supports(reduce_kind kind, element type) const noexcept {
    return (kinds >> static_cast<unsigned>(kind) & 1U) != 0 &&
           (types >> static_cast<unsigned>(type) & 1U) != 0;
  }
};

struct soc_family {
  std::string_view prefix;  // of the names of its models
  std::uint16_t features;   // a bit for each
  std::uint32_t max_streams;
  std::uint8_t tail_padding;  // that aclrtMalloc adds behind an allocation
  std::uint16_t cube_cores;
  std::uint16_t vector_cores;
  std::uint16_t architecture;
  std::uint32_t l2_bytes;
  descriptor_layout descriptor;
  reduction_set reductions;
};

// The model that CONVOY_SOC and CONVOY_RUN_MODE configure. Ascend910B1 beside its host when the
// configuration is wrong, which every call that needs the engine then answers.
struct soc_model {
  soc_model();

  std::string name;
  soc_family family = {};
  bool on_device = false;  // the program runs on the device itself: CONVOY_RUN_MODE=rc

  [[nodiscard]] bool supports(feature f) const noexcept {
    return (family.features >> static_cast<unsigned>(f) & 1U) != 0;
  }
};

inline const soc_model& soc() { return compat::process_object<soc_model>(); }

// What the model answers that does not have the feature.
call_status lacks_feature(feature f);

// 207000 unless the model has the feature.
inline call_status require(feature f) {
  return soc().supports(f) ? call_status{} : lacks_feature(f);
}

// The same without being kept.
inline call_status require_unrecorded(feature f) { return {require(f).code, false}; }

}  // namespace convoy::ascendcl
