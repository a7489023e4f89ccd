#include "stream/value_actions.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "os/fault_guard.hpp"
#include "os/futex.hpp"
#include "os/thread_sanitizer.hpp"

namespace convoy {
namespace {

using namespace std::chrono_literals;

constexpr int spin_reads = 2000;
constexpr std::chrono::nanoseconds first_nap = 20us;
constexpr std::chrono::nanoseconds longest_nap = 500us;

// Calls `use` with an atomic_ref to the value. False when the access faults.
template <class Use>
bool with_value(const stream_value& at, const Use& use) {
  return os::run_guarded([&] {
    if (at.bytes == 4) {
      use(std::atomic_ref(*static_cast<std::uint32_t*>(at.address)));
    } else {
      use(std::atomic_ref(*static_cast<std::uint64_t*>(at.address)));
    }
  });
}

void sleep(std::chrono::nanoseconds length) {
  const std::atomic<std::uint32_t> unchanged = 0;
  os::sleep_while(unchanged, 0, os::deadline_after(length));
}

}  // namespace

bool passes(const stream_value& wanted, value_test test, std::uint64_t found) noexcept {
  const bool is_long = wanted.bytes == 8;
  const std::uint64_t value = is_long ? wanted.value : static_cast<std::uint32_t>(wanted.value);
  switch (test) {
    case value_test::at_least: {
      const std::uint64_t ahead = found - value;
      return is_long ? static_cast<std::int64_t>(ahead) >= 0
                     : static_cast<std::int32_t>(ahead) >= 0;
    }
    case value_test::equal: return found == value;
    case value_test::any_bit: return (found & value) != 0;
    case value_test::not_all_bits: {
      const std::uint64_t missing = ~(found | value);
      return (is_long ? missing : static_cast<std::uint32_t>(missing)) != 0;
    }
  }
  return true;
}

status write_value_action::run() {
  const bool done = with_value(value_, [&](auto word) {
    using number = typename decltype(word)::value_type;
    // Pairs with the load of wait_value_action and of host threads.
    static_cast<void>(word.load(std::memory_order_relaxed));  // faults before the annotation would
    os::annotate_release(value_.address);
    word.store(static_cast<number>(value_.value), std::memory_order_release);
  });
  if (done) return {};
  return {errc::fault, copy_side::destination, {}, value_.address, value_.bytes};
}

status wait_value_action::run() {
  std::uint64_t found = 0;
  auto length = first_nap;
  for (int reads = 0;; ++reads) {
    // Pairs with the store of write_value_action and of host threads.
    const bool readable =
        with_value(value_, [&](auto word) { found = word.load(std::memory_order_acquire); });
    if (!readable) return {errc::fault, copy_side::source, {}, value_.address, value_.bytes};
    if (passes(value_, test_, found)) {
      os::annotate_acquire(value_.address);
      return {};
    }
    if (reads < spin_reads) {
      os::relax();
    } else {
      if (cancelled_ && cancelled_()) return {errc::aborted};
      sleep(length);
      length = std::min(length * 2, longest_nap);
    }
  }
}

}  // namespace convoy
