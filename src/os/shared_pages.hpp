// Memory that other processes can open by number while the one that made it lives.
#pragma once

#include <cstddef>
#include <cstdint>

namespace convoy::os {

// A file of zeros in memory, as large as wished: pages arrive when they are touched. -1 when there
// is none left.
int make_shared(std::size_t bytes) noexcept;

// The file another process has under this number; -1 when it is out of reach.
int open_shared(std::int32_t process, int number) noexcept;
void close_shared(int file) noexcept;

// A new mapping of part of the file; null when there is no room.
void* map_shared(int file, std::size_t offset, std::size_t bytes) noexcept;

// Puts part of the file where other pages were, and fresh private pages where they were shared.
bool map_shared_at(void* start, std::size_t bytes, int file, std::size_t offset) noexcept;
bool map_private_at(void* start, std::size_t bytes) noexcept;

// Moves what private pages hold into the file and puts the file in their place. Reading and writing
// them goes on meanwhile; a write waits for the move to end. Needs install_fault_handler().
bool move_to_shared(void* start, std::size_t bytes, int file, std::size_t offset) noexcept;

// Gives pages of the file back to the system; whoever maps them reads zero.
void discard_shared(int file, std::size_t offset, std::size_t bytes) noexcept;

}  // namespace convoy::os
