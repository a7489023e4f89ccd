#include "os/fault_guard.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <thread>
#include <vector>

#include "support/unmapped_page.hpp"

namespace convoy::os {
namespace {

class FaultGuard : public testing::Test {
 protected:
  FaultGuard() { install_fault_handler(nullptr); }

  void touch() const { static_cast<void>(*reinterpret_cast<volatile char*>(wild_.data())); }
  bool touch_guarded() const {
    return run_guarded([this] { touch(); });
  }

  test::unmapped_page wild_;
};

TEST_F(FaultGuard, RunsBodyWithoutFault) {
  int calls = 0;

  EXPECT_TRUE(run_guarded([&] { ++calls; }));

  EXPECT_EQ(calls, 1);
}

TEST_F(FaultGuard, FaultEndsTheBody) {
  volatile int reached = 0;

  EXPECT_FALSE(run_guarded([&] {
    reached = 1;
    touch();
    reached = 2;
  }));

  EXPECT_EQ(reached, 1);
}

TEST_F(FaultGuard, CatchesFaultAfterFault) {
  for (int i = 0; i != 1000; ++i) ASSERT_FALSE(touch_guarded());
}

TEST_F(FaultGuard, CatchesAtTheInnermostGuard) {
  bool inner = true;

  const bool outer = run_guarded([&] { inner = touch_guarded(); });

  EXPECT_FALSE(inner);
  EXPECT_TRUE(outer);
}

TEST_F(FaultGuard, OuterGuardCatchesAfterInnerReturned) {
  volatile bool inner = false;

  const bool outer = run_guarded([&] {
    inner = run_guarded([] {});
    touch();
  });

  EXPECT_TRUE(inner);
  EXPECT_FALSE(outer);
}

TEST_F(FaultGuard, OuterGuardCatchesAfterInnerFault) {
  EXPECT_FALSE(run_guarded([&] {
    static_cast<void>(touch_guarded());
    touch();
  }));
}

TEST_F(FaultGuard, SignalMaskIsRestored) {
  sigset_t before;
  sigset_t after;
  pthread_sigmask(SIG_SETMASK, nullptr, &before);

  EXPECT_FALSE(touch_guarded());

  pthread_sigmask(SIG_SETMASK, nullptr, &after);
  EXPECT_EQ(sigismember(&before, SIGSEGV), sigismember(&after, SIGSEGV));
  EXPECT_EQ(sigismember(&after, SIGSEGV), 0);
}

TEST_F(FaultGuard, GuardsArePerThread) {
  std::vector<std::jthread> threads;
  for (int t = 0; t != 4; ++t) {
    threads.emplace_back([this] {
      for (int i = 0; i != 200; ++i) EXPECT_FALSE(touch_guarded());
    });
  }
}

volatile sig_atomic_t handled = 0;
void count_signal(int) { handled = handled + 1; }

// Installs count_signal for SIGSEGV while in scope, as test frameworks do.
class counting_handler {
 public:
  counting_handler() {
    handled = 0;
    struct sigaction counting {};
    counting.sa_handler = count_signal;
    ::sigaction(SIGSEGV, &counting, &before_);
  }
  ~counting_handler() { ::sigaction(SIGSEGV, &before_, nullptr); }
  counting_handler(const counting_handler&) = delete;
  counting_handler& operator=(const counting_handler&) = delete;

 private:
  struct sigaction before_ = {};
};

TEST_F(FaultGuard, SentSignalReachesTheProgramsHandler) {
  const counting_handler programs;
  const guarded_step step(true);
  volatile int reached = 0;

  EXPECT_FALSE(run_guarded([&] {
    ::raise(SIGSEGV);
    reached = 1;
    touch();
  }));

  EXPECT_EQ(handled, 1);
  EXPECT_EQ(reached, 1);
}

TEST_F(FaultGuard, LaterHandlerIsReplacedForStep) {
  for (int round = 0; round != 20; ++round) {
    const counting_handler programs;
    const guarded_step step(true);

    EXPECT_FALSE(touch_guarded());

    EXPECT_EQ(handled, 0);
  }
}

// The handler that was current when the guard's was installed, not the one that is gone.
TEST_F(FaultGuard, RestoredHandlerKeepsItsPredecessor) {
  const counting_handler first;
  { const guarded_step step(true); }
  {
    struct sigaction leaving {};
    leaving.sa_handler = [](int) { ::_exit(3); };
    struct sigaction before {};
    ::sigaction(SIGSEGV, &leaving, &before);
    { const guarded_step step(true); }
    ::sigaction(SIGSEGV, &before, nullptr);
  }

  ::raise(SIGSEGV);

  EXPECT_EQ(handled, 1);
}

// Blocks both signals while in scope.
class blocked_signals {
 public:
  blocked_signals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~blocked_signals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  blocked_signals(const blocked_signals&) = delete;
  blocked_signals& operator=(const blocked_signals&) = delete;

  [[nodiscard]] static bool now() {
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    return sigismember(&mask, SIGSEGV) == 1 && sigismember(&mask, SIGBUS) == 1;
  }

 private:
  sigset_t before_;
};

TEST_F(FaultGuard, StepCatchesFaultOfBlockedSignal) {
  const blocked_signals blocked;
  {
    const guarded_step step(true);
    EXPECT_FALSE(touch_guarded());
    EXPECT_FALSE(touch_guarded());
  }
  EXPECT_TRUE(blocked_signals::now());
}

TEST_F(FaultGuard, BlockedSentSignalStaysPending) {
  const counting_handler programs;
  const blocked_signals blocked;
  ::raise(SIGSEGV);
  {
    const guarded_step step(true);
    EXPECT_FALSE(touch_guarded());
  }

  sigset_t pending;
  sigpending(&pending);
  ASSERT_EQ(sigismember(&pending, SIGSEGV), 1);
  EXPECT_EQ(handled, 0);
  siginfo_t sent = {};
  EXPECT_EQ(sigwaitinfo(&pending, &sent), SIGSEGV);
  EXPECT_EQ(sent.si_pid, ::getpid());
}

TEST_F(FaultGuard, OtherStepsLeaveTheMask) {
  const blocked_signals blocked;
  const guarded_step step(false);

  EXPECT_TRUE(blocked_signals::now());
}

}  // namespace
}  // namespace convoy::os
