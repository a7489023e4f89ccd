// The SoC that CONVOY_SOC selects, and the features and limits of its family.
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
  die_links,  // two linked dies in a chip, and links to other servers
};

// Supported reductions: every kind with every type, a bit for each.
struct reduction_set {
  std::uint8_t kinds;
  std::uint8_t types;

  [[nodiscard]] bool supports(reduce_kind kind, element type) const noexcept {
    return (kinds >> static_cast<unsigned>(kind) & 1U) != 0 &&
           (types >> static_cast<unsigned>(type) & 1U) != 0;
  }
};

struct soc_family {
  std::string_view prefix;  // of the SoC names
  std::uint16_t features;   // a bit for each
  std::uint32_t max_streams;
  std::uint8_t tail_padding;  // bytes that aclrtMalloc adds to an allocation
  std::uint16_t cube_cores;
  std::uint16_t vector_cores;
  std::uint16_t architecture;
  std::uint32_t l2_bytes;
  descriptor_layout descriptor;
  reduction_set reductions;
};

// Read from CONVOY_SOC and CONVOY_RUN_MODE. With an invalid configuration it is an Ascend910B1 in
// EP mode; every call that needs the engine then returns the configuration error.
struct soc_model {
  soc_model();

  std::string name;
  soc_family family = {};
  bool on_device = false;  // the program runs on the device: CONVOY_RUN_MODE=rc

  [[nodiscard]] bool supports(feature f) const noexcept {
    return (family.features >> static_cast<unsigned>(f) & 1U) != 0;
  }
};

inline const soc_model& soc() { return compat::process_object<soc_model>(); }

// 207000 that names the SoC and the feature.
call_status lacks_feature(feature f);

// 207000 unless the SoC supports the feature.
inline call_status require(feature f) {
  return soc().supports(f) ? call_status{} : lacks_feature(f);
}

// The same, not recorded.
inline call_status require_unrecorded(feature f) { return {require(f).code, false}; }

}  // namespace convoy::ascendcl
