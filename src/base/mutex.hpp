// A mutex whose use clang can check; std::mutex carries no annotations.
#pragma once

#include <mutex>

#if defined(__clang__)
#define CONVOY_THREAD_CHECK(x) __attribute__((x))
#else
#define CONVOY_THREAD_CHECK(x)
#endif

#define CONVOY_GUARDED_BY(m) CONVOY_THREAD_CHECK(guarded_by(m))
#define CONVOY_REQUIRES(...) CONVOY_THREAD_CHECK(requires_capability(__VA_ARGS__))
#define CONVOY_EXCLUDES(...) CONVOY_THREAD_CHECK(locks_excluded(__VA_ARGS__))

namespace convoy {

class CONVOY_THREAD_CHECK(capability("mutex")) mutex {
 public:
  void lock() CONVOY_THREAD_CHECK(acquire_capability()) { held_.lock(); }
  void unlock() CONVOY_THREAD_CHECK(release_capability()) { held_.unlock(); }

 private:
  std::mutex held_;
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
