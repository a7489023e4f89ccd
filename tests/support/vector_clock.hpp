// How many steps of each stream happen before a point.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace convoy::test {

class vector_clock {
 public:
  static constexpr std::size_t max_streams = 16;

  std::uint32_t& operator[](std::size_t stream) { return ticks_[stream]; }
  std::uint32_t operator[](std::size_t stream) const { return ticks_[stream]; }

  void join(const vector_clock& other) {
    for (std::size_t s = 0; s != max_streams; ++s) {
      ticks_[s] = std::max(ticks_[s], other.ticks_[s]);
    }
  }

  // True when every step before `other` is also before this.
  [[nodiscard]] bool covers(const vector_clock& other) const {
    bool all = true;
    for (std::size_t s = 0; s != max_streams; ++s) all &= ticks_[s] >= other.ticks_[s];
    return all;
  }

 private:
  std::array<std::uint32_t, max_streams> ticks_ = {};
};

}  // namespace convoy::test
