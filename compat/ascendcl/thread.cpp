#include "thread.hpp"

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

found<stream_ref> side_stream(device_id on) {
  auto& all = this_thread().side_streams;
  if (const auto known = all.find(on); known != all.end()) return {known->second};
  auto made = make_stream(on, {.blocking = false});
  if (!made) return none<stream_ref>(outcome_of(made.error()));
  return {all.emplace(on, std::move(*made)).first->second};
}

void make_current(std::shared_ptr<context> next) {
  thread_state& me = this_thread();
  me.current = std::move(next);
  me.knows_stream = false;
}

}  // namespace convoy::ascendcl
