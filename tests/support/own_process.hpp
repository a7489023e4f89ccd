// Tests that need their own process, because they end or configure it.
//
// EXPECT_EXIT runs its statement in a new process of the test program, so Convoy starts there with
// the environment that the statement sets first.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace convoy::test {

class own_process : public testing::Test {
 protected:
  void SetUp() override { testing::GTEST_FLAG(death_test_style) = "threadsafe"; }

  // By a signal, or by a sanitizer that caught the signal.
  static bool died(int status) { return !WIFEXITED(status) || WEXITSTATUS(status) != 0; }

  static constexpr auto ended_well = [](int status) {
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  };
};

// The value of `fact` in a forked child, which then ends.
template <class Fact>
bool true_in_child(const Fact& fact) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(fact() ? 0 : 1);
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Ends the process with exit code 0 when `fact` holds, else 1.
[[noreturn]] inline void end_well_if(bool fact) { ::_exit(fact ? 0 : 1); }

}  // namespace convoy::test
