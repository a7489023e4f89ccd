// Reads the fields of a record, with bounds checks.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "trace/trace_format.hpp"

namespace convoy::trace {

class cursor {
 public:
  explicit cursor(std::string_view remaining) : remaining_(remaining) {}

  // False after a read past the end, which returns 0.
  [[nodiscard]] bool good() const noexcept { return good_; }
  [[nodiscard]] std::string_view remaining() const noexcept { return remaining_; }

  std::uint8_t byte() noexcept {
    const std::string_view taken = take(1);
    return taken.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(taken.front());
  }
  std::uint64_t number() noexcept {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte();
      value |= static_cast<std::uint64_t>(next & 0x7F) << shift;
      if (next < 0x80) return value;
    }
    good_ = false;
    return 0;
  }
  std::int64_t signed_number() noexcept { return from_zigzag(number()); }
  std::uint32_t word() noexcept {
    std::uint32_t value = 0;
    const std::string_view taken = take(sizeof value);
    if (!taken.empty()) std::memcpy(&value, taken.data(), sizeof value);
    return value;
  }
  std::string_view text() noexcept { return take(number()); }

  // The next `bytes` bytes; empty when there are fewer.
  std::string_view take(std::uint64_t bytes) noexcept {
    if (bytes > remaining_.size()) {
      good_ = false;
      remaining_ = {};
      return {};
    }
    const std::string_view taken = remaining_.substr(0, bytes);
    remaining_.remove_prefix(bytes);
    return taken;
  }

 private:
  std::string_view remaining_;
  bool good_ = true;
};

}  // namespace convoy::trace
