#include "ipc/membership.hpp"

#include <algorithm>
#include <set>

#include "os/process.hpp"

namespace convoy::ipc {
namespace {

using processes = std::array<std::atomic<std::int32_t>, max_processes>;

bool has(const processes& list, std::int32_t process) {
  return std::ranges::any_of(list, [&](const auto& each) { return each == process; });
}

bool insert(processes& list, std::int32_t process) {
  return std::ranges::any_of(list, [&](auto& each) {
    std::int32_t vacant = 0;
    return each.compare_exchange_strong(vacant, process);
  });
}

void erase(processes& list, std::int32_t process) {
  for (auto& each : list) {
    std::int32_t expected = process;
    if (each.compare_exchange_strong(expected, 0)) return;
  }
}

}  // namespace

bool membership::permit(std::span<const std::int32_t> wanted) {
  std::set<std::int32_t> added(wanted.begin(), wanted.end());
  std::erase_if(added, [this](std::int32_t process) { return has(permitted, process); });
  const auto vacant = std::ranges::count_if(permitted, [](const auto& each) { return each == 0; });
  if (added.size() > static_cast<std::size_t>(vacant)) return false;
  return std::ranges::all_of(added,
                             [this](std::int32_t process) { return insert(permitted, process); });
}

// Sequentially consistent with the end of the export: either this process sees `withdrawn`, or the
// exporter sees this process in `importers`.
errc membership::enter(std::int32_t process) noexcept {
  if (open_to_all == 0 && !has(permitted, process)) return errc::not_permitted;
  if (!insert(importers, process)) return errc::out_of_memory;
  if (withdrawn == 0) return errc::ok;
  leave(process);
  return errc::destroyed_handle;
}

void membership::leave(std::int32_t process) noexcept { erase(importers, process); }

bool membership::in_use() noexcept {
  bool any = false;
  for (auto& each : importers) {
    const std::int32_t process = each;
    if (process == 0) continue;
    if (os::is_alive(process)) {
      any = true;
    } else {
      erase(importers, process);
    }
  }
  return any;
}

}  // namespace convoy::ipc
