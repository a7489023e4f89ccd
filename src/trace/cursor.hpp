// Reads what a record holds, and notices when it holds less.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "trace/trace_format.hpp"

namespace convoy::trace {

class cursor {
 public:
  explicit cursor(std::string_view rest) : rest_(rest) {}

  // False once anything was read that was not there; what was read then is 0.
  [[nodiscard]] bool good() const noexcept { return good_; }
  [[nodiscard]] std::string_view rest() const noexcept { return rest_; }

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

  // The next bytes, or none when there are fewer.
  std::string_view take(std::uint64_t bytes) noexcept {
    if (bytes > rest_.size()) {
      good_ = false;
      rest_ = {};
      return {};
    }
    const std::string_view taken = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return taken;
  }

 private:
  std::string_view rest_;
  bool good_ = true;
};

}  // namespace convoy::trace
