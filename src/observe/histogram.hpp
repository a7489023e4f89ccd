// A histogram of durations with buckets about 3 % wide.
//
// Lock-free: threads add concurrently; a concurrent reader sees some of the additions.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace convoy {

class histogram {
 public:
  using time = std::chrono::nanoseconds;

  void add(time taken) noexcept {
    const auto value = static_cast<std::uint64_t>(std::max<time::rep>(taken.count(), 0));
    counts_[bucket_of(value)].fetch_add(1, std::memory_order_relaxed);
    total_.fetch_add(value, std::memory_order_relaxed);
  }

  [[nodiscard]] time total() const noexcept {
    return time(static_cast<time::rep>(total_.load(std::memory_order_relaxed)));
  }

  // The duration that the fraction `part` (0 to 1) of all did not exceed; 0 when there are none.
  [[nodiscard]] time quantile(double part) const noexcept {
    std::uint64_t all = 0;
    for (const auto& each : counts_) all += each.load(std::memory_order_relaxed);
    if (all == 0) return time(0);
    const auto nearest = std::llround(part * static_cast<double>(all));
    const auto wanted = std::max<std::uint64_t>(static_cast<std::uint64_t>(nearest), 1);
    std::uint64_t passed = 0;
    for (std::size_t bucket = 0; bucket != counts_.size(); ++bucket) {
      passed += counts_[bucket].load(std::memory_order_relaxed);
      if (passed >= wanted) return time(static_cast<time::rep>(middle_of(bucket)));
    }
    return time(static_cast<time::rep>(middle_of(counts_.size() - 1)));
  }

 private:
  // Durations below `fine` ns have one bucket each; above, every doubling has `fine` buckets.
  static constexpr unsigned fine_bits = 5;
  static constexpr std::uint64_t fine = std::uint64_t{1} << fine_bits;
  static constexpr unsigned doublings = 40;  // up to about five hours

  static std::size_t bucket_of(std::uint64_t value) noexcept {
    if (value < fine) return value;
    const auto shift = static_cast<unsigned>(std::bit_width(value)) - 1 - fine_bits;
    const std::size_t bucket = (shift + 1) * fine + ((value >> shift) - fine);
    return std::min<std::size_t>(bucket, fine * (doublings + 1) - 1);
  }
  static std::uint64_t middle_of(std::size_t bucket) noexcept {
    if (bucket < fine) return bucket;
    const std::size_t shift = bucket / fine - 1;
    const std::uint64_t low = (fine + bucket % fine) << shift;
    return low + ((std::uint64_t{1} << shift) >> 1);
  }

  std::array<std::atomic<std::uint64_t>, fine*(doublings + 1)> counts_ = {};
  std::atomic<std::uint64_t> total_ = 0;
};

}  // namespace convoy
