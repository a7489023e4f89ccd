// Address space and pages, straight from the kernel.
#pragma once

#include <cstddef>

namespace convoy::os {

constexpr std::size_t huge_page = std::size_t{2} << 20;

// Address space without memory behind it, aligned to a huge page; null when there is none left.
void* reserve(std::size_t bytes) noexcept;

// Makes reserved pages usable; with huge pages where the kernel has them. Pages arrive when they
// are first touched.
bool commit_pages(void* start, std::size_t bytes) noexcept;

// Gives the pages back and keeps the address space; the next touch reads zero.
void discard_pages(void* start, std::size_t bytes) noexcept;

// Touches every page of the range now, so that no copy pays for it later.
void populate(void* start, std::size_t bytes) noexcept;

// Fresh zeroed memory of whole pages; null when there is none.
void* map_pages(std::size_t bytes) noexcept;
void unmap_pages(void* start, std::size_t bytes) noexcept;

std::size_t physical_memory() noexcept;

}  // namespace convoy::os
