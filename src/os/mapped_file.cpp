#include "os/mapped_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace convoy::os {
namespace {

// MADV_POPULATE_WRITE, from Linux 5.14. Older kernels refuse it; pages are then allocated on first
// touch.
constexpr int populate_write = 23;

constexpr const char* truncated = "another process has truncated it";

enum class removal { done, in_use, refused };

// Why the file must not be replaced; empty when it may be.
std::string obstacle(const struct stat& found) {
  if (S_ISLNK(found.st_mode)) return "is a symbolic link";
  if (!S_ISREG(found.st_mode)) return "is not a regular file";
  return found.st_uid == ::geteuid() ? "" : "belongs to another user";
}

bool lock(int file) { return ::flock(file, LOCK_EX | LOCK_NB) == 0; }

// Removes an earlier file of this name. The process that writes to it holds its lock.
removal remove_earlier(const std::string& path, std::string& problem) {
  struct stat found = {};
  if (::lstat(path.c_str(), &found) != 0) return removal::done;
  problem = obstacle(found);
  if (!problem.empty()) return removal::refused;
  const int file = ::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  const bool in_use = file >= 0 && !lock(file) && errno == EWOULDBLOCK;
  if (!in_use && ::unlink(path.c_str()) != 0 && errno != ENOENT) problem = std::strerror(errno);
  if (file >= 0) ::close(file);
  if (in_use) return removal::in_use;
  if (problem.empty()) return removal::done;
  problem = "cannot be replaced (" + problem + ")";
  return removal::refused;
}

bool is_named(int file, const std::string& path) {
  struct stat opened = {};
  struct stat named = {};
  return ::fstat(file, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

// A new file with its lock held; -1 with a problem, or without one when it is in use.
int create_locked(const std::string& path, std::string& problem) {
  // Another process may create or replace the file at the same time.
  constexpr int attempts = 16;
  for (int i = 0; i != attempts; ++i) {
    const removal removed = remove_earlier(path, problem);
    if (removed != removal::done) return -1;
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST) {
      problem = std::string("cannot be written (") + std::strerror(errno) + ")";
      return -1;
    }
    if (file < 0) continue;
    if (lock(file) && is_named(file, path)) return file;
    ::close(file);
  }
  problem = "is created by other processes at the same time";
  return -1;
}

}  // namespace

std::unique_ptr<mapped_file> mapped_file::create(const std::string& path, std::size_t most_bytes,
                                                 std::string& problem) {
  problem.clear();
  std::string used = path;
  int file = create_locked(used, problem);
  if (file < 0 && problem.empty()) {
    used += '.' + std::to_string(::getpid());
    file = create_locked(used, problem);
    if (file < 0 && problem.empty()) problem = "is in use";
  }
  if (file < 0) return nullptr;
  void* const start = ::mmap(nullptr, most_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (start == MAP_FAILED) {
    problem = std::string("cannot be mapped (") + std::strerror(errno) + ")";
    ::close(file);
    return nullptr;
  }
  ::madvise(start, most_bytes, MADV_DONTFORK);
  return std::unique_ptr<mapped_file>(
      new mapped_file(file, std::move(used), static_cast<std::byte*>(start), most_bytes));
}

mapped_file::~mapped_file() {
  ::munmap(start_, most_bytes_);
  ::close(file_);
}

const char* mapped_file::grow(std::size_t bytes) noexcept {
  if (bytes > most_bytes_) return "it has reached its largest size";
  struct stat now = {};
  if (::fstat(file_, &now) != 0 || static_cast<std::size_t>(now.st_size) < bytes_) return truncated;
  // Above this limit the kernel would end the process with SIGXFSZ.
  struct rlimit most = {};
  if (::getrlimit(RLIMIT_FSIZE, &most) == 0 && bytes > most.rlim_cur) {
    return "it has reached the limit of file sizes (ulimit -f)";
  }
  int error = ::fallocate(file_, 0, 0, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
  // posix_fallocate() writes to each block where the file system cannot allocate them.
  if (error == EOPNOTSUPP) {
    error =
        ::posix_fallocate(file_, static_cast<off_t>(bytes_), static_cast<off_t>(bytes - bytes_));
  }
  if (error != 0) {
    shrink(bytes_);  // part of it may have been allocated
    return error == ENOSPC || error == EDQUOT ? "the disk is full" : "it cannot grow";
  }
  bytes_ = bytes;
  return nullptr;
}

void mapped_file::shrink(std::size_t bytes) noexcept {
  struct stat now = {};
  if (::fstat(file_, &now) != 0 || static_cast<std::size_t>(now.st_size) <= bytes) return;
  if (::ftruncate(file_, static_cast<off_t>(bytes)) == 0) bytes_ = bytes;
}

void mapped_file::remove() noexcept {
  if (is_named(file_, path_)) ::unlink(path_.c_str());
}

bool mapped_file::populate(std::size_t from, std::size_t bytes) noexcept {
  return ::madvise(start_ + from, bytes, populate_write) == 0 || errno != EFAULT;
}

}  // namespace convoy::os
