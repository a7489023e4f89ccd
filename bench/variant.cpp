#include "variant.hpp"

#include <algorithm>
#include <tuple>

namespace convoy::bench {
namespace {

std::vector<maker>& makers() {
  static std::vector<maker> all;
  return all;
}

}  // namespace

bool add_variant(maker make) {
  makers().push_back(make);
  return true;
}

variant_set make_variants() {
  variant_set made;
  for (const maker make : makers()) {
    variant_or_reason next = make();
    if (auto* usable = std::get_if<variant>(&next)) {
      made.variants.push_back(std::move(*usable));
    } else {
      made.unavailable.push_back(std::get<std::string>(next));
    }
  }
  std::ranges::sort(made.variants, {}, [](const variant& v) { return std::tie(v.kind, v.name); });
  return made;
}

std::size_t workload::copies() const {
  std::size_t sum = 0;
  for (const auto& batch : batches) sum += batch.size();
  return sum;
}

std::size_t workload::bytes() const {
  std::size_t sum = 0;
  for (const auto& batch : batches)
    for (const copy& c : batch) sum += c.bytes;
  return sum;
}

}  // namespace convoy::bench
