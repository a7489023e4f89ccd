// A record under way: bytes are put behind one another and count once it is committed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "trace/trace_format.hpp"

namespace convoy::trace {

inline constexpr std::size_t longest_number = 10;

// Each answers where the next thing goes.
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
  record(std::byte* start, record_kind kind) noexcept : start_(start), at_(start + record_head) {
    start_[4] = static_cast<std::byte>(kind);
  }

  void put_byte(std::uint8_t value) noexcept { *at_++ = static_cast<std::byte>(value); }
  void put_number(std::uint64_t value) noexcept { at_ = trace::put_number(at_, value); }
  void put_signed(std::int64_t value) noexcept { put_number(zigzag(value)); }
  // word(i) for each i below `count`.
  template <class Word>
  void put_words(std::size_t count, const Word& word) noexcept {
    std::byte* const to = at_;  // a local, because the compiler must assume that bytes may alias it
    for (std::size_t i = 0; i != count; ++i) {
      const std::uint32_t value = word(i);
      std::memcpy(to + i * sizeof value, &value, sizeof value);
    }
    at_ = to + count * sizeof(std::uint32_t);
  }
  void put_text(std::string_view text) noexcept { at_ = trace::put_text(at_, text); }

  // Makes it count and answers where the next one starts. What it is made of is in place before its
  // length is, for whoever reads the file after this process has died.
  std::byte* commit() noexcept {
    const auto length = static_cast<std::uint32_t>((at_ - start_ + 3) / 4 * 4);
    __atomic_store_n(reinterpret_cast<std::uint32_t*>(start_), length, __ATOMIC_RELEASE);
    return start_ + length;
  }

 private:
  std::byte* const start_;
  std::byte* at_;
};

}  // namespace convoy::trace
