#include "state/thread.hpp"

#include <pthread.h>

namespace convoy::ascendcl {

constinit thread_local thread_state* current_thread_state [[gnu::tls_model("initial-exec")]] =
    nullptr;

namespace {

pthread_key_t key_for_thread_ends() {
  static const pthread_key_t key = [] {
    pthread_key_t made = 0;
    pthread_key_create(&made, [](void* state) {
      delete static_cast<thread_state*>(state);
      current_thread_state = nullptr;
    });
    return made;
  }();
  return key;
}

}  // namespace

thread_state* make_thread_state() {
  auto made = std::make_unique<thread_state>();
  pthread_setspecific(key_for_thread_ends(), made.get());
  return made.release();
}

}  // namespace convoy::ascendcl
