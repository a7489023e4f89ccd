#include "os/shared_pages.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <mutex>

#include "os/fault_guard.hpp"

namespace convoy::os {
namespace {

constexpr int read_write = PROT_READ | PROT_WRITE;

// Moves the descriptor above 200: some programs expect to get low descriptor numbers.
int move_up(int file) {
  constexpr int least = 200;
  const int moved = ::fcntl(file, F_DUPFD_CLOEXEC, least);
  if (moved < 0) return file;
  ::close(file);
  return moved;
}

// A raw system call, because ThreadSanitizer's pwrite() would report a race: it does not know that
// the pages are write-protected meanwhile.
bool write_all(int file, const char* from, std::size_t bytes, std::size_t offset) {
  while (bytes != 0) {
    const auto written = ::syscall(SYS_pwrite64, file, from, bytes, offset);
    if (written <= 0) return false;
    from += written;
    offset += static_cast<std::size_t>(written);
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

file_identity identity_of(int file) noexcept {
  struct stat found {};
  if (::fstat(file, &found) != 0) return {};
  return {found.st_dev, found.st_ino};
}

bool keeps_size(int file, std::size_t bytes) noexcept {
  const int seals = ::fcntl(file, F_GET_SEALS);
  struct stat found {};
  return seals >= 0 && (seals & F_SEAL_SHRINK) != 0 && ::fstat(file, &found) == 0 &&
         static_cast<std::size_t>(found.st_size) >= bytes;
}

int make_shared(std::size_t bytes) noexcept {
  const int file = ::memfd_create("convoy", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  if (::ftruncate(file, static_cast<off_t>(bytes)) == 0 &&
      ::fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
    return move_up(file);
  }
  ::close(file);
  return -1;
}

int open_shared(std::int32_t process, int number) noexcept {
  std::array<char, 64> path;
  std::snprintf(path.data(), path.size(), "/proc/%d/fd/%d", process, number);
  return ::open(path.data(), O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

void close_shared(int file) noexcept { ::close(file); }

void* map_shared(int file, std::size_t offset, std::size_t bytes) noexcept {
  void* const got =
      ::mmap(nullptr, bytes, read_write, MAP_SHARED, file, static_cast<off_t>(offset));
  return got == MAP_FAILED ? nullptr : got;
}

bool map_shared_at(void* start, std::size_t bytes, int file, std::size_t offset) noexcept {
  return ::mmap(start, bytes, read_write, MAP_SHARED | MAP_FIXED, file,
                static_cast<off_t>(offset)) != MAP_FAILED;
}

bool map_private_at(void* start, std::size_t bytes) noexcept {
  if (::mmap(start, bytes, read_write, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
      MAP_FAILED) {
    return false;
  }
  ::madvise(start, bytes, MADV_HUGEPAGE);
  return true;
}

bool move_to_shared(void* start, std::size_t bytes, int file, std::size_t offset) noexcept {
  static std::mutex one_at_a_time;
  const std::lock_guard held(one_at_a_time);
  const hold_faults block_writers(start, bytes);
  const bool moved = ::mprotect(start, bytes, PROT_READ) == 0 &&
                     write_all(file, static_cast<const char*>(start), bytes, offset) &&
                     map_shared_at(start, bytes, file, offset);
  if (!moved) ::mprotect(start, bytes, read_write);
  return moved;
}

void discard_shared(int file, std::size_t offset, std::size_t bytes) noexcept {
  [[maybe_unused]] const int result =
      ::fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                  static_cast<off_t>(bytes));
}

}  // namespace convoy::os
