// Reads numbers from the bytes of a fuzzer; after the last byte all numbers are zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace convoy::test {

class input_reader {
 public:
  explicit input_reader(std::span<const std::uint8_t> input) : left_(input) {}

  std::uint8_t byte() {
    if (left_.empty()) return 0;
    const std::uint8_t first = left_.front();
    left_ = left_.subspan(1);
    return first;
  }
  std::size_t below(std::size_t limit) { return byte() % limit; }
  std::size_t number() {
    const std::size_t low = byte();
    return low | std::size_t{byte()} << 8;
  }
  bool flag() { return (byte() & 1U) != 0; }
  bool rarely() { return below(16) == 15; }

 private:
  std::span<const std::uint8_t> left_;
};

}  // namespace convoy::test
