#include "os/pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace convoy::os {

void* reserve(std::size_t bytes) noexcept {
  const std::size_t padded = bytes + huge_page;
  void* got =
      ::mmap(nullptr, padded, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) return nullptr;

  const auto start = reinterpret_cast<std::uintptr_t>(got);
  const std::uintptr_t aligned = (start + huge_page - 1) / huge_page * huge_page;
  if (aligned != start) ::munmap(got, aligned - start);
  const std::uintptr_t end = aligned + bytes;
  if (start + padded != end) ::munmap(reinterpret_cast<void*>(end), start + padded - end);
  return reinterpret_cast<void*>(aligned);
}

bool commit_pages(void* start, std::size_t bytes) noexcept {
  if (::mprotect(start, bytes, PROT_READ | PROT_WRITE) != 0) return false;
  ::madvise(start, bytes, MADV_HUGEPAGE);
  return true;
}

void discard_pages(void* start, std::size_t bytes) noexcept {
  ::madvise(start, bytes, MADV_DONTNEED);
}

void populate(void* start, std::size_t bytes) noexcept {
#ifdef MADV_POPULATE_WRITE
  constexpr std::uintptr_t page = 4096;
  const auto from = reinterpret_cast<std::uintptr_t>(start) / page * page;
  const auto to = (reinterpret_cast<std::uintptr_t>(start) + bytes + page - 1) / page * page;
  ::madvise(reinterpret_cast<void*>(from), to - from, MADV_POPULATE_WRITE);
#else
  static_cast<void>(start), static_cast<void>(bytes);
#endif
}

void* map_pages(std::size_t bytes) noexcept {
  void* got = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (got == MAP_FAILED) return nullptr;
  ::madvise(got, bytes, MADV_HUGEPAGE);
  return got;
}

void unmap_pages(void* start, std::size_t bytes) noexcept { ::munmap(start, bytes); }

std::size_t physical_memory() noexcept {
  return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::size_t available_memory(const std::string& root) {
  std::ifstream in(root + "/proc/meminfo");
  std::size_t kilobytes = 0;
  for (std::string name, line; in >> name; std::getline(in, line)) {
    if (name == "MemAvailable:" && in >> kilobytes) return kilobytes * 1024;
  }
  return SIZE_MAX;
}

}  // namespace convoy::os
