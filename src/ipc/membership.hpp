// Which processes may import what a directory entry stands for, and which have.
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
  std::array<std::atomic<std::int32_t>, 24> permitted;  // process numbers, 0 for none
  std::array<std::atomic<std::int32_t>, 24> importers;

  // False when there is no room for all of them.
  bool permit(std::span<const std::int32_t> processes) noexcept;

  // Notes an importing process, unless it may not be one or the export has ended.
  errc enter(std::int32_t process) noexcept;
  void leave(std::int32_t process) noexcept;

  // True while a living process is noted.
  [[nodiscard]] bool in_use() noexcept;
};

}  // namespace convoy::ipc
