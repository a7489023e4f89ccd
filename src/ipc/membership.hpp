// The processes that may import an export, and those that have imported it.
#pragma once

#include <array>
#include <atomic>
#include <convoy/status.hpp>
#include <cstdint>
#include <span>

namespace convoy::ipc {

// Lives in zeroed memory that processes share.
struct membership {
  std::atomic<std::uint32_t> open_to_all;
  std::atomic<std::uint32_t> withdrawn;
  std::array<std::atomic<std::int32_t>, 24> permitted;  // PIDs, 0 for none
  std::array<std::atomic<std::int32_t>, 24> importers;

  // False when the table is full.
  bool permit(std::span<const std::int32_t> processes) noexcept;

  // Adds an importing process. not_permitted, out_of_memory when the table is full, or
  // destroyed_handle when the export has ended.
  errc enter(std::int32_t process) noexcept;
  void leave(std::int32_t process) noexcept;

  // True while an importing process is alive.
  [[nodiscard]] bool in_use() noexcept;
};

}  // namespace convoy::ipc
