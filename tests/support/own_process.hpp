// Tests that need a process of their own, because they end it or configure it.
//
// The statement of EXPECT_EXIT runs in a fresh copy of the test's program, so Convoy starts there
// with the environment that the statement sets first.
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
  static bool died(int how) { return !WIFEXITED(how) || WEXITSTATUS(how) != 0; }

  static constexpr auto ended_well = [](int how) {
    return WIFEXITED(how) && WEXITSTATUS(how) == 0;
  };
};

// What `fact` is in a forked child, which ends right after.
template <class Fact>
bool true_in_child(const Fact& fact) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(fact() ? 0 : 1);
  int how = 0;
  return ::waitpid(child, &how, 0) == child && WIFEXITED(how) && WEXITSTATUS(how) == 0;
}

// Ends the process without a word when `fact` holds.
[[noreturn]] inline void end_well_if(bool fact) { ::_exit(fact ? 0 : 1); }

}  // namespace convoy::test
