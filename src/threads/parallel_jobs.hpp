// Where a thread with a large piece of work finds hands for it.
//
// A job is cut into units. Its owner takes them from the front and helpers from the back, so that a
// job that comes again finds the same units in the same caches. It lives on the stack of the thread
// that posted it; posting it off waits until the last helper has let go.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace convoy::threads {

class job {
 public:
  explicit job(std::size_t units) : units_(units) {}

  // Takes units until there are none left. False when there were none.
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

 private:
  // How many units each end has given, in one word, so that both can be told at once.
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
      if (before.all(units_)) return worked;
      run(pick(before, units_));
      worked = true;
    }
  }

  const std::size_t units_;  // fewer than 2^31
  std::atomic<std::uint64_t> taken_ = 0;
};

class parallel_jobs {
 public:
  // Works on whatever is posted; false when nothing is.
  bool help_posted();

  [[nodiscard]] bool has_work() const noexcept {
    return posted_.load(std::memory_order_relaxed) != 0;
  }

  // Shows `work` while in scope. When every place is taken the job is simply not shown.
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
  struct alignas(64) slot {
    std::atomic<job*> offered = nullptr;
    std::atomic<int> helpers = 0;
  };

  std::array<slot, 16> slots_;
  std::atomic<int> posted_ = 0;
};

}  // namespace convoy::threads
