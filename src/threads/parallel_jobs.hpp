// Shares a large job between the thread that owns it and threads that help.
//
// A job consists of units. Its owner takes them from the front and helpers from the back, so that a
// repeated job has the same units in the same caches. A job lives on the stack of its owner; the
// destructor of scoped_offer waits until no helper uses it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/cache_line.hpp"

namespace convoy::threads {

class job {
 public:
  explicit job(std::size_t units) : units_(units) {}

  [[nodiscard]] std::size_t units() const noexcept { return units_; }

  // Run units until none is left. False when there was none.
  bool work() {
    return take_all(front, [](const taken& before, std::size_t) { return before.front; });
  }
  bool help() {
    return take_all(back,
                    [](const taken& before, std::size_t units) { return units - 1 - before.back; });
  }

 protected:
  ~job() = default;
  virtual void run(std::size_t unit) = 0;

  // True when no unit from `unit` on has to run any more; the owner has taken all lower ones.
  [[nodiscard]] virtual bool is_over(std::size_t /*unit*/) const { return false; }

 private:
  // The units taken from each end, in one word, so that one load gives both.
  static constexpr std::uint64_t front = 1;
  static constexpr std::uint64_t back = std::uint64_t{1} << 32;
  struct taken {
    explicit taken(std::uint64_t word) : front(word % job::back), back(word / job::back) {}
    [[nodiscard]] bool all(std::size_t units) const { return front + back >= units; }
    std::size_t front;
    std::size_t back;
  };

  template <class Pick>
  bool take_all(std::uint64_t end, const Pick& pick) {
    bool worked = false;
    for (;;) {
      const taken before(taken_.fetch_add(end, std::memory_order_relaxed));
      if (before.all(units_) || is_over(before.front)) return worked;
      run(pick(before, units_));
      worked = true;
    }
  }

  const std::size_t units_;  // fewer than 2^31
  std::atomic<std::uint64_t> taken_ = 0;
};

class parallel_jobs {
 public:
  // Helps with every offered job; false when no unit was left.
  bool help_offered();

  [[nodiscard]] bool has_work() const noexcept {
    return offered_.load(std::memory_order_relaxed) != 0;
  }

  // Offers `work` while in scope. When every slot is taken the job is not offered.
  class scoped_offer {
   public:
    scoped_offer(parallel_jobs& jobs, job& work);
    ~scoped_offer();
    scoped_offer(const scoped_offer&) = delete;
    scoped_offer& operator=(const scoped_offer&) = delete;

   private:
    parallel_jobs& jobs_;
    std::size_t slot_;
  };

 private:
  struct alignas(cache_line_bytes) slot {
    std::atomic<bool> taken = false;  // until the owner has waited for its helpers
    std::atomic<job*> offered = nullptr;
    std::atomic<std::uint32_t> helpers = 0;  // and `owner_sleeps`

    void wait_for_helpers() noexcept;
    void leave() noexcept;
  };
  static constexpr std::uint32_t owner_sleeps = std::uint32_t{1} << 31;

  std::array<slot, 16> slots_;
  std::atomic<int> offered_ = 0;
};

}  // namespace convoy::threads
