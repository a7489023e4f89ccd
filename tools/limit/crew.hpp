// What copying is compared with: a plain memcpy loop, and the most this machine can copy.
#pragma once

#include <atomic>
#include <chrono>
#include <convoy/copy.hpp>
#include <cstdint>
#include <functional>
#include <span>
#include <thread>
#include <vector>

#include "cpu/kernels.hpp"

namespace convoy::limit {

using seconds = std::chrono::duration<double>;

seconds run_memcpy_loop(std::span<const copy> copies);

// One thread for each processor. They sleep until they are called and spin until all are there, so
// that neither waking nor starting counts, and nobody else is disturbed in between.
class crew {
 public:
  explicit crew(int members);
  ~crew();
  crew(const crew&) = delete;
  crew& operator=(const crew&) = delete;

  // Calls part() on all threads at once, the caller among them.
  seconds run(const std::function<void()>& part);

 private:
  void live();

  const std::size_t members_;
  const std::function<void()>* part_ = nullptr;
  std::atomic<std::uint32_t> call_ = 0;
  std::atomic<std::size_t> ready_ = 0;
  std::atomic<std::uint32_t> start_ = 0;
  std::atomic<std::size_t> done_ = 0;
  std::vector<std::thread> threads_;
};

// The copy kernels over equal shares, with nothing around them: no order, no checks, no guard.
seconds run_bare_kernels(crew& all, std::span<const copy> copies, cpu::kernel_choice how);

// The setting of the kernels that is fastest for these copies here and now, Convoy's own among
// those tried.
cpu::kernel_choice fastest_kernels(crew& all, std::span<const copy> copies);

}  // namespace convoy::limit
