// Memory files (memfd) that other processes can open by PID and descriptor while the owner lives.
#pragma once

#include <cstddef>
#include <cstdint>

namespace convoy::os {

// The file behind a descriptor, whatever its number.
struct file_identity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  friend bool operator==(const file_identity&, const file_identity&) = default;
};

// All zeros when the descriptor is not open.
file_identity identity_of(int file) noexcept;

// True when the file has at least this size and can never shrink, so that no access to a mapping of
// it raises SIGBUS.
bool keeps_size(int file, std::size_t bytes) noexcept;

// Creates a file of zeros in memory, whose size cannot be changed; pages are allocated on first
// touch. -1 on failure.
int make_shared(std::size_t bytes) noexcept;

// Opens descriptor `number` of another process; -1 when it cannot be opened.
int open_shared(std::int32_t process, int number) noexcept;
void close_shared(int file) noexcept;

// Maps part of the file; null on failure.
void* map_shared(int file, std::size_t offset, std::size_t bytes) noexcept;

// Replace the pages at `start` by part of the file, or by fresh private pages.
bool map_shared_at(void* start, std::size_t bytes, int file, std::size_t offset) noexcept;
bool map_private_at(void* start, std::size_t bytes) noexcept;

// Copies private pages into the file and maps the file in their place. Other threads may read and
// write them meanwhile; a write waits until the move ends. Needs install_fault_handler().
bool move_to_shared(void* start, std::size_t bytes, int file, std::size_t offset) noexcept;

// Frees pages of the file; mappings of them then read zero.
void discard_shared(int file, std::size_t offset, std::size_t bytes) noexcept;

}  // namespace convoy::os
