#include "os/mapped_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace convoy::os {
namespace {

// MADV_POPULATE_WRITE, from Linux 5.14. Older kernels refuse it; pages are then allocated on first
// touch.
constexpr int populate_write = 23;

// Opens the file, locks it and truncates it to 0; -1 and errno on failure.
int open_exclusive(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return -1;
  // Lock before truncating: another process that maps the file would get SIGBUS.
  if (::flock(file, LOCK_EX | LOCK_NB) == 0 && ::ftruncate(file, 0) == 0) return file;
  const int error = errno;
  ::close(file);
  errno = error;
  return -1;
}

}  // namespace

std::unique_ptr<mapped_file> mapped_file::create(const std::string& path, std::size_t most_bytes) {
  int file = open_exclusive(path);
  if (file < 0 && errno == EWOULDBLOCK) {
    file = open_exclusive(path + '.' + std::to_string(::getpid()));
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
