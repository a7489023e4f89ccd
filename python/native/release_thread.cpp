#include "release_thread.hpp"

#include <Python.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "in_flight.hpp"

namespace convoy::python {
namespace {

constexpr auto grace = std::chrono::milliseconds(5);

std::atomic<bool> word{false};
std::atomic<bool> closed{false};

void live() {
  while (true) {
    word.wait(false);
    std::this_thread::sleep_for(grace);
    if (!word.exchange(false)) continue;
    if (closed.load()) return;
    const PyGILState_STATE before = PyGILState_Ensure();
    release_all_landed();
    PyGILState_Release(before);
  }
}

}  // namespace

void start_release_thread() {
  static const bool started = [] {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    // Signals are for the threads of the program.
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread(live).detach();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return true;
  }();
  static_cast<void>(started);
}

void leave_word() noexcept {
  if (!word.exchange(true)) word.notify_one();
}

void take_word_back() noexcept { word.store(false); }

void close_release_thread() noexcept { closed.store(true); }

}  // namespace convoy::python
