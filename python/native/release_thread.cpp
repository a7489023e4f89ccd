#include "release_thread.hpp"

#include <Python.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <system_error>
#include <thread>

#include "kept_objects.hpp"

namespace convoy::python {
namespace {

constexpr auto grace = std::chrono::milliseconds(5);

std::atomic<bool> requested{false};
std::atomic<bool> stopped{false};

void release_loop() {
  while (true) {
    requested.wait(false);
    std::this_thread::sleep_for(grace);
    if (!requested.exchange(false)) continue;
    if (stopped.load()) return;
    const PyGILState_STATE before = PyGILState_Ensure();
    release_all_landed();
    PyGILState_Release(before);
  }
}

}  // namespace

// Called with the GIL held. Without a thread the next call for the stream releases the objects, and
// the next one to keep tries again.
void start_release_thread() {
  static bool started = false;
  if (started) return;
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  // Signals are delivered to threads of the program.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread(release_loop).detach();
    started = true;
  } catch (const std::system_error&) {
    started = false;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void request_release() noexcept {
  if (!requested.exchange(true)) requested.notify_one();
}

void withdraw_release_request() noexcept { requested.store(false); }

void stop_release_thread() noexcept { stopped.store(true); }

}  // namespace convoy::python
