// A file as memory: what is stored there is in the file, even when the process dies the next
// moment.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace convoy::os {

class mapped_file {
 public:
  // Empties the file, or makes it. When another process has it open this way, `path` with the
  // number of this process behind it is taken instead. Null when neither can be had.
  static std::unique_ptr<mapped_file> create(const std::string& path, std::size_t most_bytes);
  ~mapped_file();
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;

  // Makes the first `bytes` of it usable, on the disk as well; false when there is no room.
  bool grow(std::size_t bytes) noexcept;

  // Gives back what lies behind the first `bytes`; touching it is a fault until it grows again.
  void shrink(std::size_t bytes) noexcept;

  // Touches every page of the range now.
  void populate(std::size_t from, std::size_t bytes) noexcept;

  [[nodiscard]] std::byte* start() const noexcept { return start_; }
  [[nodiscard]] std::size_t most_bytes() const noexcept { return most_bytes_; }

 private:
  mapped_file(int file, std::byte* start, std::size_t most_bytes)
      : file_(file), start_(start), most_bytes_(most_bytes) {}

  const int file_;
  std::byte* const start_;
  const std::size_t most_bytes_;
};

}  // namespace convoy::os
