// Address space and pages from the kernel (mmap, madvise).
#pragma once

#include <cstddef>
#include <string>

namespace convoy::os {

constexpr std::size_t huge_page = std::size_t{2} << 20;

// Reserves address space without memory, aligned to a huge page; null when there is none left.
void* reserve(std::size_t bytes) noexcept;

// Makes reserved pages accessible, as huge pages where the kernel has them. Memory is allocated on
// first touch.
bool commit_pages(void* start, std::size_t bytes) noexcept;

// Frees the memory and keeps the address space; the next read returns zero.
void discard_pages(void* start, std::size_t bytes) noexcept;

// Allocates every page of the range now, so that no copy takes page faults later.
void populate(void* start, std::size_t bytes) noexcept;

// Fresh zeroed memory of whole pages; null when there is none.
void* map_pages(std::size_t bytes) noexcept;
void unmap_pages(void* start, std::size_t bytes) noexcept;

std::size_t physical_memory() noexcept;

// The memory that the system can give without swapping: MemAvailable of /proc/meminfo, read below
// the folder `root`; SIZE_MAX where that is not known.
std::size_t available_memory(const std::string& root = {});

}  // namespace convoy::os
