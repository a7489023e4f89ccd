#include "os/mappings.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace convoy::os {
namespace {

struct mapping {
  std::uintptr_t first = 0;
  std::uintptr_t last = 0;  // one past the end
  bool readable = false;
  bool writable = false;

  [[nodiscard]] bool allows(page_access needed) const {
    return readable && (writable || needed == page_access::read);
  }
};

// "first-last rwxp ...", the addresses in hexadecimal.
mapping parse(std::string_view line) {
  mapping found;
  const char* const end = line.data() + line.size();
  const auto dash = std::from_chars(line.data(), end, found.first, 16).ptr;
  if (dash == end) return {};
  const auto blank = std::from_chars(dash + 1, end, found.last, 16).ptr;
  if (end - blank < 3) return {};
  found.readable = blank[1] == 'r';
  found.writable = blank[2] == 'w';
  return found;
}

// Calls use(mapping) for each line of the file until it returns false.
template <class Use>
void for_each_mapping(int file, const Use& use) {
  std::array<char, 16384> text;  // longer than a path, so than any line
  std::size_t kept = 0;
  while (true) {
    const auto got = ::read(file, text.data() + kept, text.size() - kept);
    if (got <= 0) return;
    std::string_view rest(text.data(), kept + static_cast<std::size_t>(got));
    for (auto end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
      if (!use(parse(rest.substr(0, end)))) return;
      rest.remove_prefix(end + 1);
    }
    kept = rest.size();
    std::memmove(text.data(), rest.data(), kept);
  }
}

}  // namespace

const void* first_inaccessible(const void* start, std::size_t bytes, page_access needed) noexcept {
  const int file = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return nullptr;
  auto checked = reinterpret_cast<std::uintptr_t>(start);  // accessible up to here
  const std::uintptr_t end = checked + bytes;
  for_each_mapping(file, [&](const mapping& each) {
    if (each.last <= checked) return true;
    if (each.first > checked || !each.allows(needed)) return false;
    checked = each.last;
    return checked < end;
  });
  ::close(file);
  return checked < end ? reinterpret_cast<const void*>(checked) : nullptr;
}

}  // namespace convoy::os
