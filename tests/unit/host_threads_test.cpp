#include "threads/host_threads.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <latch>

#include "support/eventually.hpp"

namespace convoy::threads {
namespace {

TEST(HostThreads, RunEveryCallBeforeEnding) {
  EXPECT_TRUE(test::ends_in_time([] {
    std::atomic<int> ran = 0;
    {
      host_threads threads(thread_end::joined);
      for (int i = 0; i != 100; ++i) threads.call([&] { ++ran; });
    }

    EXPECT_EQ(ran, 100);
  }));
}

TEST(HostThreads, FunctionsMayWaitForEachOther) {
  EXPECT_TRUE(test::ends_in_time([] {
    constexpr int functions = 20;
    std::latch all(functions);
    {
      host_threads threads(thread_end::joined);
      for (int i = 0; i != functions; ++i) threads.call([&] { all.arrive_and_wait(); });
    }

    EXPECT_TRUE(all.try_wait());
  }));
}

TEST(HostThreads, FunctionMayCallAnother) {
  EXPECT_TRUE(test::ends_in_time([] {
    std::latch inner(1);
    {
      host_threads threads(thread_end::joined);
      threads.call([&] {
        threads.call([&] { inner.count_down(); });
        inner.wait();
      });
      inner.wait();
    }

    EXPECT_TRUE(inner.try_wait());
  }));
}

TEST(HostThreads, ExitedThreadsAreReplaced) {
  EXPECT_TRUE(test::ends_in_time([] {
    std::atomic<int> ran = 0;
    {
      host_threads threads(thread_end::joined);
      for (int i = 0; i != 20; ++i) {
        threads.call([&] {
          ++ran;
          ::pthread_exit(nullptr);
        });
      }
    }

    EXPECT_EQ(ran, 20);
  }));
}

}  // namespace
}  // namespace convoy::threads
