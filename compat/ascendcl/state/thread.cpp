#include "state/thread.hpp"

#include <pthread.h>

namespace convoy::ascendcl {

constinit thread_local thread_state* mine [[gnu::tls_model("initial-exec")]] = nullptr;

namespace {

pthread_key_t key_for_thread_ends() {
  static const pthread_key_t key = [] {
    pthread_key_t made = 0;
    pthread_key_create(&made, [](void* state) {
      delete static_cast<thread_state*>(state);
      mine = nullptr;
    });
    return made;
  }();
  return key;
}

}  // namespace

thread_state* adopt_thread() {
  auto made = std::make_unique<thread_state>();
  pthread_setspecific(key_for_thread_ends(), made.get());
  return made.release();
}

}  // namespace convoy::ascendcl
