#include "calls/entry_points.hpp"

#include <algorithm>
#include <new>

#include "calls/devices.hpp"

namespace convoy::cuda {
namespace {

constexpr std::string_view per_thread_endings[] = {"_ptsz", "_ptds"};

struct symbol_parts {
  std::string_view name;
  bool per_thread;
};

// Splits a symbol into the name it is looked up by and its suffixes `_v2` and `_ptsz` or `_ptds`.
symbol_parts parse_symbol(std::string_view symbol) noexcept {
  symbol_parts made{symbol, false};
  for (const std::string_view ending : per_thread_endings) {
    if (!made.name.ends_with(ending)) continue;
    made.name.remove_suffix(ending.size());
    made.per_thread = true;
  }
  const std::size_t at = made.name.rfind("_v");
  const bool numbered = at != std::string_view::npos && at + 3 == made.name.size() &&
                        made.name.back() >= '2' && made.name.back() <= '9';
  if (numbered) made.name.remove_suffix(3);
  return made;
}

// The requested form of the default stream decides first, then the later version.
bool is_better(const entry_point& a, const entry_point* other, default_stream_form form) noexcept {
  if (other == nullptr) return true;
  const bool wanted = form == default_stream_form::per_thread;
  const bool first = parse_symbol(a.symbol).per_thread == wanted;
  const bool second = parse_symbol(other->symbol).per_thread == wanted;
  return first != second ? first : a.version > other->version;
}

// The requested version with a wrong configuration, so that the program finds cuInit(), which
// reports it.
int limit_to_driver(int requested) noexcept try {
  const auto driver = driver_version();
  return driver ? std::min(requested, *driver) : requested;
} catch (const std::bad_alloc&) {
  return requested;
}

}  // namespace

entry_lookup find_entry(std::string_view name, int version, default_stream_form form) noexcept {
  const auto all = entry_points();
  const entry_point* best = nullptr;
  entry_lookup none{.version = limit_to_driver(version)};
  const auto first = std::lower_bound(
      all.begin(), all.end(), name,
      [](const entry_point& each, std::string_view wanted) { return each.symbol < wanted; });
  for (auto each = first; each != all.end() && each->symbol.starts_with(name); ++each) {
    const symbol_parts known = parse_symbol(each->symbol);
    if (known.name != name && each->symbol != name) continue;
    if (known.per_thread && form == default_stream_form::legacy && each->symbol != name) continue;
    none.result = lookup_result::version_not_sufficient;
    if (each->version <= none.version && is_better(*each, best, form)) best = &*each;
  }
  if (best == nullptr) return none;
  return {lookup_result::success, reinterpret_cast<void*>(best->function), none.version};
}

}  // namespace convoy::cuda
