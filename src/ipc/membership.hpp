// The processes that may import an export, and those that have imported it.
#pragma once

#include <array>
#include <atomic>
#include <convoy/status.hpp>
#include <cstddef>
#include <cstdint>
#include <span>

namespace convoy::ipc {

// As many as let an entry of the directory fill a page.
inline constexpr std::size_t max_processes = 504;

// Lives in zeroed memory that processes share.
struct membership {
  std::atomic<std::uint32_t> open_to_all;
  std::atomic<std::uint32_t> withdrawn;
  std::array<std::atomic<std::int32_t>, max_processes> permitted;  // PIDs, 0 for none
  std::array<std::atomic<std::int32_t>, max_processes> importers;

  // False when they do not all fit in the table; then none is added. Called by one thread of the
  // exporting process at a time.
  bool permit(std::span<const std::int32_t> processes);

  // Adds an importing process. not_permitted, out_of_memory when the table is full, or
  // destroyed_handle when the export has ended.
  errc enter(std::int32_t process) noexcept;
  void leave(std::int32_t process) noexcept;

  // True while an importing process is alive.
  [[nodiscard]] bool in_use() noexcept;
};

}  // namespace convoy::ipc
