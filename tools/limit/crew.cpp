#include "limit/crew.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "os/cpu_features.hpp"
#include "os/futex.hpp"
#include "os/process.hpp"

namespace convoy::limit {
namespace {

using clock = std::chrono::steady_clock;

// Small enough that a thread which loses its processor for a while does not hold up the others.
constexpr std::size_t share_bytes = std::size_t{256} << 10;

// Lets others have the processor after a while: on a busy machine they are who it waits for.
template <class T>
void spin_until(const std::atomic<T>& word, T value) {
  for (int spins = 0; word.load(std::memory_order_acquire) != value; ++spins) {
    if (spins < 1000) {
      os::relax();
    } else {
      os::yield();
    }
  }
}

cpu::kernel_choice convoys_choice(std::span<const copy> copies) {
  cpu::batch_shape shape;
  for (const copy& c : copies) shape.add(c);
  return cpu::choose(shape, os::this_processor());
}

}  // namespace

seconds run_memcpy_loop(std::span<const copy> copies) {
  const auto start = clock::now();
  for (const copy& c : copies) std::memcpy(c.dst, c.src, c.bytes);
  return clock::now() - start;
}

crew::crew(int members) : members_(static_cast<std::size_t>(members)) {
  for (std::size_t m = 1; m != members_; ++m) threads_.emplace_back([this] { live(); });
}

crew::~crew() {
  part_ = nullptr;
  call_.fetch_add(1);
  call_.notify_all();
  for (std::thread& each : threads_) each.join();
}

seconds crew::run(const std::function<void()>& part) {
  part_ = &part;
  ready_ = 1;
  done_ = 1;
  call_.fetch_add(1);
  call_.notify_all();
  spin_until(ready_, members_);

  const auto start = clock::now();
  start_.fetch_add(1);
  part();
  spin_until(done_, members_);
  return clock::now() - start;
}

void crew::live() {
  for (std::uint32_t turn = 1;; ++turn) {
    call_.wait(turn - 1);
    if (part_ == nullptr) return;
    ready_.fetch_add(1);
    spin_until(start_, turn);
    (*part_)();
    done_.fetch_add(1);
  }
}

seconds run_bare_kernels(crew& all, std::span<const copy> copies, cpu::kernel_choice how) {
  const std::size_t share = std::max<std::size_t>(share_bytes / copies.front().bytes, 1);
  std::atomic<std::size_t> next = 0;
  return all.run([&] {
    volatile std::size_t progress = 0;
    for (std::size_t first; (first = next.fetch_add(share)) < copies.size();) {
      cpu::copy_scattered(copies, first, std::min(first + share, copies.size()), how, &progress);
    }
  });
}

cpu::kernel_choice fastest_kernels(crew& all, std::span<const copy> copies) {
  struct trial {
    cpu::kernel_choice how;
    seconds least = seconds::max();
  };
  std::vector<trial> trials{{convoys_choice(copies)}};
  for (const auto how : {cpu::store_kind::ordinary, cpu::store_kind::non_temporal}) {
    for (const std::uint16_t prefetched : std::to_array<std::uint16_t>({128, 256, 1024}))
      trials.push_back({{how, 4, prefetched}});
  }
  for (int round = 0; round != 5; ++round) {
    for (trial& t : trials) t.least = std::min(t.least, run_bare_kernels(all, copies, t.how));
  }
  return std::ranges::min(trials, {}, &trial::least).how;
}

}  // namespace convoy::limit
