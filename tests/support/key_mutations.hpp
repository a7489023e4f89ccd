// Keys of exports, damaged in every way that a transport or another process could damage them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

namespace convoy::test {

class key_mutations {
 public:
  using key = std::vector<unsigned char>;

  // Keys of one length. Parts of `dead` ones, whose exporter has ended, are mixed in.
  key_mutations(std::vector<key> valid, std::vector<key> dead, std::uint64_t seed)
      : valid_(std::move(valid)), dead_(std::move(dead)), random_(seed) {}

  // Not a valid key.
  key next() {
    key made = any_of(below(4) == 0 ? dead_ : valid_);
    switch (below(6)) {
      case 0: flip_bits(made, 1); break;
      case 1: flip_bits(made, 1 + below(64)); break;
      case 2: truncate(made); break;
      case 3: splice(made, any_of(below(2) == 0 ? dead_ : valid_)); break;
      case 4: replace_word(made); break;
      default: replace_bytes(made); break;
    }
    while (is_valid(made)) flip_bits(made, 1);
    return made;
  }

 private:
  std::size_t below(std::size_t limit) { return random_() % limit; }
  const key& any_of(const std::vector<key>& from) { return from[below(from.size())]; }
  [[nodiscard]] bool is_valid(const key& made) const {
    return std::find(valid_.begin(), valid_.end(), made) != valid_.end();
  }

  void flip_bits(key& made, std::size_t count) {
    for (std::size_t i = 0; i != count; ++i) {
      made[below(made.size())] ^= static_cast<unsigned char>(1U << below(8));
    }
  }
  void truncate(key& made) {
    std::fill(made.begin() + static_cast<std::ptrdiff_t>(below(made.size())), made.end(), 0);
  }
  void splice(key& made, const key& other) {
    const auto at = static_cast<std::ptrdiff_t>(below(made.size() + 1));
    std::copy(other.begin() + at, other.end(), made.begin() + at);
  }
  // Fields of keys are 4 or 8 bytes long.
  void replace_word(key& made) {
    static constexpr std::array<std::uint32_t, 6> words{0,          1,          2,
                                                        0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    const std::uint32_t word = words[below(words.size())];
    std::memcpy(made.data() + 4 * below(made.size() / 4), &word, sizeof word);
  }
  void replace_bytes(key& made) {
    const std::size_t from = below(made.size());
    for (std::size_t at = from; at != made.size(); ++at) {
      made[at] = static_cast<unsigned char>(random_());
    }
  }

  const std::vector<key> valid_;
  const std::vector<key> dead_;
  std::mt19937_64 random_;
};

// A value of plain bytes as a key, and back.
template <class T>
key_mutations::key to_key(const T& value, std::size_t length = sizeof(T)) {
  key_mutations::key made(length);
  std::memcpy(made.data(), &value, length);
  return made;
}
template <class T>
T from_key(const key_mutations::key& made) {
  T value{};
  std::memcpy(&value, made.data(), std::min(made.size(), sizeof value));
  return value;
}

}  // namespace convoy::test
