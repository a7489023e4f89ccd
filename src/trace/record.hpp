// Writes one record. It becomes part of the trace with commit().
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "trace/trace_format.hpp"

namespace convoy::trace {

inline constexpr std::size_t longest_number = 10;

// Each returns the position behind the written bytes.
inline std::byte* put_number(std::byte* at, std::uint64_t value) noexcept {
  for (; value >= 0x80; value >>= 7) *at++ = static_cast<std::byte>(value | 0x80);
  *at++ = static_cast<std::byte>(value);
  return at;
}
inline std::byte* put_text(std::byte* at, std::string_view text) noexcept {
  at = put_number(at, text.size());
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

class record {
 public:
  record(std::byte* start, record_kind kind) noexcept : start_(start), next_(start + record_head) {
    start_[4] = static_cast<std::byte>(kind);
  }

  void put_byte(std::uint8_t value) noexcept { *next_++ = static_cast<std::byte>(value); }
  void put_number(std::uint64_t value) noexcept { next_ = trace::put_number(next_, value); }
  void put_signed(std::int64_t value) noexcept { put_number(zigzag(value)); }
  // word(i) for each i below `count`.
  template <class Word>
  void put_words(std::size_t count, const Word& word) noexcept {
    std::byte* const to = next_;  // a local, because stores of bytes may alias the member
    for (std::size_t i = 0; i != count; ++i) {
      const std::uint32_t value = word(i);
      std::memcpy(to + i * sizeof value, &value, sizeof value);
    }
    next_ = to + count * sizeof(std::uint32_t);
  }
  void put_text(std::string_view text) noexcept { next_ = trace::put_text(next_, text); }

  // Stores the length and returns the start of the next record. The length is stored last, so that
  // a reader never sees an incomplete record after a crash.
  std::byte* commit() noexcept {
    const auto length = static_cast<std::uint32_t>((next_ - start_ + 3) / 4 * 4);
    __atomic_store_n(reinterpret_cast<std::uint32_t*>(start_), length, __ATOMIC_RELEASE);
    return start_ + length;
  }

 private:
  std::byte* const start_;
  std::byte* next_;
};

}  // namespace convoy::trace
