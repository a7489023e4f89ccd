// A mutex that clang's thread-safety analysis can check. Small and inline, because most critical
// sections are shorter than a call of pthread_mutex_lock.
#pragma once

#include <atomic>
#include <cstdint>

#include "os/futex.hpp"
#include "os/thread_sanitizer.hpp"

#if defined(__clang__)
#define CONVOY_THREAD_CHECK(x) __attribute__((x))
#else
#define CONVOY_THREAD_CHECK(x)
#endif

#define CONVOY_GUARDED_BY(m) CONVOY_THREAD_CHECK(guarded_by(m))
#define CONVOY_REQUIRES(...) CONVOY_THREAD_CHECK(requires_capability(__VA_ARGS__))

namespace convoy {

class CONVOY_THREAD_CHECK(capability("mutex")) mutex {
 public:
  // Acquire and release pair with each other; `contended` makes unlock() wake a sleeper.
  void lock() CONVOY_THREAD_CHECK(acquire_capability()) {
    std::uint32_t expected = unlocked;
    if (!word_.compare_exchange_strong(expected, locked, std::memory_order_acquire)) lock_slowly();
    os::annotate_acquire(&word_);
  }
  void unlock() CONVOY_THREAD_CHECK(release_capability()) {
    os::annotate_release(&word_);
    if (word_.exchange(unlocked, std::memory_order_release) == contended) os::wake_one(word_);
  }

  // For critical sections of about a microsecond with many stores: unlocking is a plain store,
  // which unlike an exchange does not wait for the store buffer to drain. Waiting threads poll
  // instead of being woken.
  bool try_lock_briefly() CONVOY_THREAD_CHECK(try_acquire_capability(true)) {
    std::uint32_t expected = unlocked;
    if (!word_.compare_exchange_strong(expected, brief, std::memory_order_acquire)) return false;
    os::annotate_acquire(&word_);
    return true;
  }
  void unlock_briefly() CONVOY_THREAD_CHECK(release_capability()) {
    os::annotate_release(&word_);
    word_.store(unlocked, std::memory_order_release);
  }

 private:
  static constexpr std::uint32_t unlocked = 0;
  static constexpr std::uint32_t locked = 1;
  static constexpr std::uint32_t contended = 2;
  static constexpr std::uint32_t brief = 3;  // only the holder changes it

  void lock_slowly() noexcept;

  std::atomic<std::uint32_t> word_ = unlocked;
};

class CONVOY_THREAD_CHECK(scoped_lockable) lock {
 public:
  explicit lock(mutex& m) CONVOY_THREAD_CHECK(acquire_capability(m)) : mutex_(m) { mutex_.lock(); }
  ~lock() CONVOY_THREAD_CHECK(release_capability()) { mutex_.unlock(); }
  lock(const lock&) = delete;
  lock& operator=(const lock&) = delete;

 private:
  mutex& mutex_;
};

}  // namespace convoy
