#include "calls/entry_points.hpp"

#include <algorithm>

namespace convoy::cuda {
namespace {

constexpr std::string_view per_thread_endings[] = {"_ptsz", "_ptds"};

struct parts {
  std::string_view name;
  bool per_thread;
};

// The name a symbol is asked for by: without the version and the default stream in its ending.
parts take_apart(std::string_view symbol) noexcept {
  parts made{symbol, false};
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

// A later version is the better form, and the stream that was asked for the best of all.
bool is_better(const entry_point& a, const entry_point* than, default_stream_form form) noexcept {
  if (than == nullptr) return true;
  const bool wanted = form == default_stream_form::per_thread;
  const bool first = take_apart(a.symbol).per_thread == wanted;
  const bool second = take_apart(than->symbol).per_thread == wanted;
  return first != second ? first : a.version > than->version;
}

}  // namespace

found_entry find_entry(std::string_view name, int version, default_stream_form form) noexcept {
  const auto all = entry_points();
  const entry_point* best = nullptr;
  found_entry none;
  const auto first = std::lower_bound(
      all.begin(), all.end(), name,
      [](const entry_point& each, std::string_view wanted) { return each.symbol < wanted; });
  for (auto each = first; each != all.end() && each->symbol.starts_with(name); ++each) {
    const parts known = take_apart(each->symbol);
    if (known.name != name && each->symbol != name) continue;
    if (known.per_thread && form == default_stream_form::legacy && each->symbol != name) continue;
    none.how = found_entry::outcome::came_later;
    if (each->version <= version && is_better(*each, best, form)) best = &*each;
  }
  if (best == nullptr) return none;
  return {found_entry::outcome::found, reinterpret_cast<void*>(best->function)};
}

}  // namespace convoy::cuda
