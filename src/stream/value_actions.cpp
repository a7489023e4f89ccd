#include "stream/value_actions.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "os/fault_guard.hpp"
#include "os/futex.hpp"

namespace convoy {
namespace {

using namespace std::chrono_literals;

constexpr int quick_looks = 2000;
constexpr std::chrono::nanoseconds first_nap = 20us;
constexpr std::chrono::nanoseconds longest_nap = 500us;

// Calls `use` with the word as an atomic number of its size. False when it is not there.
template <class Use>
bool with_word(const word& where, const Use& use) {
  return os::run_guarded([&] {
    if (where.bytes == 4) {
      use(std::atomic_ref(*static_cast<std::uint32_t*>(where.at)));
    } else {
      use(std::atomic_ref(*static_cast<std::uint64_t*>(where.at)));
    }
  });
}

void nap(std::chrono::nanoseconds length) {
  const std::atomic<std::uint32_t> nobody_rings = 0;
  os::sleep_while(nobody_rings, 0, os::in(length));
}

}  // namespace

bool passes(const word& wanted, word_test test, std::uint64_t found) noexcept {
  const bool is_long = wanted.bytes == 8;
  const std::uint64_t value = is_long ? wanted.value : static_cast<std::uint32_t>(wanted.value);
  switch (test) {
    case word_test::at_least: {
      const std::uint64_t ahead = found - value;
      return is_long ? static_cast<std::int64_t>(ahead) >= 0
                     : static_cast<std::int32_t>(ahead) >= 0;
    }
    case word_test::equal: return found == value;
    case word_test::any_bit: return (found & value) != 0;
    case word_test::not_all_bits: {
      const std::uint64_t missing = ~(found | value);
      return (is_long ? missing : static_cast<std::uint32_t>(missing)) != 0;
    }
  }
  return true;
}

status write_word_action::run() {
  const bool done = with_word(what_, [&](auto there) {
    using number = typename decltype(there)::value_type;
    there.store(static_cast<number>(what_.value), std::memory_order_release);  // whoever waits
  });
  return {done ? errc::ok : errc::fault, side::destination, {}, done ? nullptr : what_.at};
}

status wait_word_action::run() {
  std::uint64_t found = 0;
  auto length = first_nap;
  for (int looks = 0;; ++looks) {
    const bool there = with_word(what_, [&](auto word) {
      found = word.load(std::memory_order_acquire);  // whoever wrote it
    });
    if (!there) return {errc::fault, side::source, {}, what_.at};
    if (passes(what_, test_, found)) return {};
    if (looks < quick_looks) {
      os::relax();
    } else {
      if (gives_up_ && gives_up_()) return {errc::aborted};
      nap(length);
      length = std::min(length * 2, longest_nap);
    }
  }
}

}  // namespace convoy
