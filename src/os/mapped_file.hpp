// A file mapped with MAP_SHARED: stores reach the file even when the process crashes right after.
//
// Another process can truncate the file at any time, so that access raises SIGBUS: access it in
// run_guarded(). One thread at a time calls grow() and shrink().
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace convoy::os {

class mapped_file {
 public:
  // Creates the file. A regular file of this user that has the name already is replaced, unless
  // another process holds its lock: then `path` with the PID appended is used instead. No link is
  // followed and no existing file is written to. Null, with the reason in `problem` as in "x is a
  // symbolic link", when the file cannot be created or mapped.
  static std::unique_ptr<mapped_file> create(const std::string& path, std::size_t most_bytes,
                                             std::string& problem);
  ~mapped_file();
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;

  // Allocates the first `bytes` on disk. Null, or the reason as in "the disk is full"; the file
  // then keeps its size.
  const char* grow(std::size_t bytes) noexcept;

  // Truncates the file to `bytes`; access behind that raises SIGBUS until grow().
  void shrink(std::size_t bytes) noexcept;

  // Removes the name of the file, unless another file has it by now.
  void remove() noexcept;

  // Allocates every page of the range now; false when another process has truncated the file.
  bool populate(std::size_t from, std::size_t bytes) noexcept;

  [[nodiscard]] std::byte* start() const noexcept { return start_; }
  [[nodiscard]] std::size_t most_bytes() const noexcept { return most_bytes_; }

 private:
  mapped_file(int file, std::string path, std::byte* start, std::size_t most_bytes)
      : file_(file), path_(std::move(path)), start_(start), most_bytes_(most_bytes) {}

  const int file_;
  const std::string path_;
  std::byte* const start_;
  const std::size_t most_bytes_;
  std::size_t bytes_ = 0;  // of the file, as grow() and shrink() left it
};

}  // namespace convoy::os
