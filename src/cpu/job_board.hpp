// Where a thread with a large piece of work finds hands for it.
//
// A job is cut into units that any number of threads take from a shared cursor. It lives on the
// stack of the thread that posted it; posting it off waits until the last helper has let go.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

namespace convoy::cpu {

class job {
 public:
  explicit job(std::size_t units) : units_(units) {}

  // Takes units until there are none left. False when there were none.
  bool work() {
    bool worked = false;
    for (std::size_t unit; (unit = next_.fetch_add(1, std::memory_order_relaxed)) < units_;) {
      run(unit);
      worked = true;
    }
    return worked;
  }
  [[nodiscard]] bool exhausted() const noexcept {
    return next_.load(std::memory_order_relaxed) >= units_;
  }

 protected:
  ~job() = default;
  virtual void run(std::size_t unit) = 0;

 private:
  const std::size_t units_;
  std::atomic<std::size_t> next_ = 0;
};

class job_board {
 public:
  // Works on whatever is posted; false when nothing is.
  bool join();

  [[nodiscard]] bool has_work() const noexcept {
    return posted_.load(std::memory_order_relaxed) != 0;
  }

  // Shows `what` while in scope. When every place is taken the job is simply not shown.
  class posting {
   public:
    posting(job_board& board, job& what);
    ~posting();
    posting(const posting&) = delete;
    posting& operator=(const posting&) = delete;

   private:
    job_board& board_;
    std::size_t place_;
  };

 private:
  struct alignas(64) place {
    std::atomic<job*> shown = nullptr;
    std::atomic<int> helpers = 0;
  };

  std::array<place, 16> places_;
  std::atomic<int> posted_ = 0;
};

}  // namespace convoy::cpu
