// Memory files (memfd) that other processes can open by PID and descriptor while the owner lives.
#pragma once

#include <cstddef>
#include <cstdint>

namespace convoy::os {

// Creates a file of zeros in memory; pages are allocated on first touch. -1 on failure.
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
