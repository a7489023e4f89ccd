// Tells ThreadSanitizer what it cannot see: a program that is built with it uses a library that is
// not, so atomics and futexes in here order nothing for it.
//
// Where the process has no ThreadSanitizer the weak symbols are null, and a call is a load and a
// branch. A library that is itself built with ThreadSanitizer annotates nothing, so that a missing
// memory order is found.
#pragma once

#if defined(__SANITIZE_THREAD__)
#define CONVOY_UNDER_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CONVOY_UNDER_THREAD_SANITIZER 1
#endif
#endif

namespace convoy::os {

#if defined(CONVOY_UNDER_THREAD_SANITIZER)
inline void annotate_release(const void* /*object*/) noexcept {}
inline void annotate_acquire(const void* /*object*/) noexcept {}
#else
extern "C" {
[[gnu::weak, gnu::visibility("default")]] void convoy_tsan_release(void*) noexcept
    asm("__tsan_release");
[[gnu::weak, gnu::visibility("default")]] void convoy_tsan_acquire(void*) noexcept
    asm("__tsan_acquire");
}

// What this thread did before happens before what another does after annotate_acquire() of the same
// object. Goes before the releasing store; annotate_acquire() goes after the acquiring load.
inline void annotate_release(const void* object) noexcept {
  if (&convoy_tsan_release != nullptr) [[unlikely]] {
    convoy_tsan_release(const_cast<void*>(object));
  }
}
inline void annotate_acquire(const void* object) noexcept {
  if (&convoy_tsan_acquire != nullptr) [[unlikely]] {
    convoy_tsan_acquire(const_cast<void*>(object));
  }
}
#endif

}  // namespace convoy::os
