#include "os/fault_guard.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace convoy::os
