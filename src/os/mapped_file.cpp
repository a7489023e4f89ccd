#include "os/mapped_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace convoy::os {
namespace {

// From Linux 5.14 on; older ones refuse it, and pages arrive when they are touched.
constexpr int populate_write = 23;

// Open, locked and empty; -1 when that is not to be had.
int open_alone(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return -1;
  // Locked first: who has it mapped would die of losing its pages.
  if (::flock(file, LOCK_EX | LOCK_NB) == 0 && ::ftruncate(file, 0) == 0) return file;
  const int why = errno;
  ::close(file);
  errno = why;
  return -1;
}

}  // namespace

std::unique_ptr<mapped_file> mapped_file::create(const std::string& path, std::size_t most_bytes) {
  int file = open_alone(path);
  if (file < 0 && errno == EWOULDBLOCK) {
    file = open_alone(path + '.' + std::to_string(::getpid()));
  }
  if (file < 0) return nullptr;
  void* const start = ::mmap(nullptr, most_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (start == MAP_FAILED) {
    ::close(file);
    return nullptr;
  }
  ::madvise(start, most_bytes, MADV_DONTFORK);
  return std::unique_ptr<mapped_file>(
      new mapped_file(file, static_cast<std::byte*>(start), most_bytes));
}

mapped_file::~mapped_file() {
  ::munmap(start_, most_bytes_);
  ::close(file_);
}

bool mapped_file::grow(std::size_t bytes) noexcept {
  if (bytes > most_bytes_) return false;
  if (::fallocate(file_, 0, 0, static_cast<off_t>(bytes)) == 0) return true;
  return errno == EOPNOTSUPP && ::ftruncate(file_, static_cast<off_t>(bytes)) == 0;
}

void mapped_file::shrink(std::size_t bytes) noexcept {
  static_cast<void>(::ftruncate(file_, static_cast<off_t>(bytes)) == 0);
}

void mapped_file::populate(std::size_t from, std::size_t bytes) noexcept {
  ::madvise(start_ + from, bytes, populate_write);
}

}  // namespace convoy::os
