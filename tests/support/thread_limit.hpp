// A process that gets no more threads from the system.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <system_error>
#include <thread>

#include "support/own_process.hpp"

namespace convoy::test {

// From now on a new thread is an error. The limit (RLIMIT_NPROC) counts the threads of the user and
// does not bind root, who therefore becomes another user. False when the limit has no effect.
inline bool forbid_new_threads() {
  constexpr uid_t unprivileged = 65534;
  const rlimit none{1, 1};
  if (::geteuid() == 0 && (::setgid(unprivileged) != 0 || ::setuid(unprivileged) != 0))
    return false;
  if (::setrlimit(RLIMIT_NPROC, &none) != 0) return false;
  try {
    std::thread([] {}).join();
  } catch (const std::system_error&) {
    return true;
  }
  return false;
}

// Tests whose process forbids new threads.
class thread_limit_test : public own_process {
 protected:
  void SetUp() override {
    own_process::SetUp();
    if (!true_in_child(forbid_new_threads)) {
      GTEST_SKIP() << "RLIMIT_NPROC has no effect for this user, so threads cannot be forbidden";
    }
  }
};

}  // namespace convoy::test
