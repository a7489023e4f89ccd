#include "state/soc.hpp"

#include <algorithm>
#include <array>
#include <convoy/configuration.hpp>

namespace convoy::ascendcl {
namespace {

constexpr std::uint16_t bit(feature f) {
  return static_cast<std::uint16_t>(1U << static_cast<unsigned>(f));
}
constexpr std::uint16_t common_features =
    bit(feature::batches) | bit(feature::descriptors) | bit(feature::offset_copies) |
    bit(feature::d32_fills) | bit(feature::pitched_on_device) | bit(feature::cache_descriptors) |
    bit(feature::error_details);
constexpr std::uint16_t all_features = common_features | bit(feature::die_links);

constexpr descriptor_layout small_descriptor{
    .bytes = 32, .source_offset = 16, .destination_offset = 24, .length_offset = 12};
constexpr descriptor_layout large_descriptor{
    .bytes = 64, .source_offset = 32, .destination_offset = 40, .length_offset = 48};

template <class... Each>
constexpr std::uint8_t bits(Each... each) {
  return static_cast<std::uint8_t>(((1U << static_cast<unsigned>(each)) | ...));
}
constexpr std::uint8_t all_kinds = bits(reduce_kind::sum, reduce_kind::max, reduce_kind::min);
constexpr std::uint8_t common_types =
    bits(element::int8, element::int16, element::int32, element::float16, element::float32);
constexpr reduction_set reductions_of_950{all_kinds,
                                          common_types | bits(element::bfloat16, element::uint32)};
constexpr reduction_set reductions_of_a2{all_kinds, common_types | bits(element::bfloat16)};
constexpr reduction_set reductions_of_310b{all_kinds, common_types};
constexpr reduction_set reductions_of_310p{
    bits(reduce_kind::sum), bits(element::int16, element::float16, element::float32)};
constexpr reduction_set reductions_of_910{bits(reduce_kind::sum), bits(element::float32)};

constexpr std::uint32_t mebibyte = 1U << 20;

// The first prefix that matches a name decides. Features are those of the vendor's documentation;
// core counts are those of one common SoC of the family.
constexpr std::array<soc_family, 6> families{{
    {"Ascend950", common_features, 1984, 0, 32, 64, 3510, 128 * mebibyte, large_descriptor,
     reductions_of_950},
    {"Ascend910_93", all_features, 1984, 32, 24, 48, 2201, 192 * mebibyte, small_descriptor,
     reductions_of_a2},
    {"Ascend910B", common_features, 1984, 32, 24, 48, 2201, 192 * mebibyte, small_descriptor,
     reductions_of_a2},
    {"Ascend310B", bit(feature::descriptors), 512, 32, 1, 1, 3002, 4 * mebibyte, small_descriptor,
     reductions_of_310b},
    {"Ascend310P", 0, 1024, 32, 8, 7, 2002, 16 * mebibyte, small_descriptor, reductions_of_310p},
    {"Ascend910", bit(feature::offset_copies), 2048, 32, 32, 0, 1001, 32 * mebibyte,
     small_descriptor, reductions_of_910},
}};

std::string_view name_of(feature f) {
  switch (f) {
    case feature::batches: return "batches of copies";
    case feature::descriptors: return "copies described in device memory";
    case feature::offset_copies: return "copies with offsets";
    case feature::d32_fills: return "fills with 32-bit values";
    case feature::pitched_on_device: return "two-dimensional copies within a device";
    case feature::cache_descriptors: return "cache operations described in device memory";
    case feature::error_details: return "error details";
    case feature::die_links: return "links between dies and servers";
  }
  return "this feature";
}

}  // namespace

soc_model::soc_model() {
  const auto configured = setting_value("CONVOY_SOC");
  const auto mode = setting_value("CONVOY_RUN_MODE");
  name = configured ? *configured : "Ascend910B1";
  on_device = mode && *mode == "rc";
  const auto has_prefix = [this](const soc_family& f) { return name.starts_with(f.prefix); };
  const auto* const found = std::find_if(families.begin(), families.end(), has_prefix);
  if (found != families.end()) family = *found;
}

call_status lacks_feature(feature f) {
  return failed(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                soc().name + " does not support " + std::string(name_of(f)));
}

}  // namespace convoy::ascendcl
