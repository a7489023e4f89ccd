#include "threads/worker_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <latch>
#include <memory>
#include <string>

#include "support/eventually.hpp"
#include "support/process_time.hpp"

namespace convoy::threads {
namespace {

using std::chrono_literals::operator""ms;

class scripted_runnable final : public runnable {
 public:
  explicit scripted_runnable(std::function<void()> script, int priority = 0)
      : script_(std::move(script)), priority_(priority) {}
  void run() override { script_(); }
  [[nodiscard]] int priority() const noexcept override { return priority_; }
  [[nodiscard]] std::uint64_t progress() const noexcept override { return 0; }

 private:
  std::function<void()> script_;
  int priority_;
};

std::shared_ptr<runnable> runnable_that(std::function<void()> script, int priority = 0) {
  return std::make_shared<scripted_runnable>(std::move(script), priority);
}

// True when within a while every thread sleeps, as told by the processor time it uses.
bool comes_to_rest() {
  const auto deadline = test::within_limit();
  while (os::clock::now() < deadline) {
    const auto before = test::process_time();
    const std::atomic<std::uint32_t> never = 0;
    const auto until = os::clock::now() + 50ms;
    while (os::clock::now() < until) os::sleep_while(never, 0, until);
    if (test::process_time() - before < 2ms) return true;
  }
  return false;
}

TEST(WorkerPool, RunsPostedWorkWithoutWaiter) {
  EXPECT_TRUE(test::ends_in_time([] {
    worker_pool pool(1, thread_end::joined);
    std::latch ran(1);

    pool.post(runnable_that([&] { ran.count_down(); }), 1);

    ran.wait();
  }));
}

TEST(WorkerPool, PostWakesSleepingWorkers) {
  EXPECT_TRUE(test::ends_in_time([] {
    worker_pool pool(2, thread_end::joined);
    ASSERT_TRUE(comes_to_rest());
    std::latch ran(2);

    pool.post(runnable_that([&] { ran.count_down(); }), 1);
    pool.post(runnable_that([&] { ran.count_down(); }), std::size_t{1} << 30);

    ran.wait();
  }));
}

TEST(WorkerPool, WorkersSleepAfterWork) {
  EXPECT_TRUE(test::ends_in_time([] {
    worker_pool pool(2, thread_end::joined);
    std::latch ran(1);
    pool.post(runnable_that([&] { ran.count_down(); }), 1);
    ran.wait();

    EXPECT_TRUE(comes_to_rest());
  }));
}

TEST(WorkerPool, RunsByPriorityThenInOrder) {
  EXPECT_TRUE(test::ends_in_time([] {
    worker_pool pool(1, thread_end::joined);
    std::latch busy(1);
    std::latch posted(1);
    std::latch ran(4);
    std::string order;
    pool.post(runnable_that([&] {
                busy.count_down();
                posted.wait();
              }),
              1);
    busy.wait();
    for (const auto& [name, priority] : {std::pair('c', 0), {'a', -5}, {'d', 0}, {'b', -2}}) {
      pool.post(runnable_that(
                    [&, name = name] {
                      order += name;
                      ran.count_down();
                    },
                    priority),
                1);
    }
    posted.count_down();

    ran.wait();
    EXPECT_EQ(order, "abcd");
  }));
}

TEST(WorkerPool, DoublePostRunsOnce) {
  EXPECT_TRUE(test::ends_in_time([] {
    worker_pool pool(1, thread_end::joined);
    std::latch busy(1);
    std::latch posted(1);
    std::latch last(1);
    int runs = 0;
    pool.post(runnable_that([&] {
                busy.count_down();
                posted.wait();
              }),
              1);
    busy.wait();
    const auto twice = runnable_that([&] { ++runs; });
    pool.post(twice, 1);
    pool.post(twice, 1);
    pool.post(runnable_that([&] { last.count_down(); }), 1);
    posted.count_down();

    last.wait();
    EXPECT_EQ(runs, 1);
  }));
}

TEST(WorkerPool, LaterPostRunsAgain) {
  EXPECT_TRUE(test::ends_in_time([] {
    worker_pool pool(2, thread_end::joined);
    std::atomic<int> runs = 0;
    std::latch enough(1);
    std::shared_ptr<runnable> self;
    self = runnable_that([&] {
      if (++runs == 100) return enough.count_down();
      pool.post(self, 1);
    });
    pool.post(self, 1);

    enough.wait();
  }));
}

// Something whose submitter runs its steps itself for a while.
class kept_busy final : public runnable {
 public:
  explicit kept_busy(std::latch& ran) : ran_(ran) {}
  void run() override { ran_.count_down(); }
  [[nodiscard]] int priority() const noexcept override { return 0; }
  [[nodiscard]] std::uint64_t progress() const noexcept override {
    return std::min(++asked_, std::uint64_t{20});
  }

 private:
  std::latch& ran_;
  mutable std::atomic<std::uint64_t> asked_ = 0;
};

TEST(WorkerPool, WorkLeftToSubmitterStaysListed) {
  EXPECT_TRUE(test::ends_in_time([] {
    worker_pool pool(1, thread_end::joined);
    std::latch ran(1);
    const auto work = std::make_shared<kept_busy>(ran);

    pool.post(work, 1);
    ran.wait();

    EXPECT_FALSE(work->posted);
    EXPECT_GE(work->progress(), 20U);
  }));
}

TEST(WorkerPool, PostDuringFallingAsleepIsRun) {
  EXPECT_TRUE(test::ends_in_time([] {
    worker_pool pool(2, thread_end::joined);
    for (int i = 0; i != 3000; ++i) {
      std::latch ran(1);
      pool.post(runnable_that([&] { ran.count_down(); }), 1);
      ran.wait();
    }
  }));
}

class shared_job final : public job {
 public:
  shared_job() : job(1000) {}
  std::atomic<int> done = 0;

 private:
  void run(std::size_t) override { ++done; }
};

TEST(WorkerPool, RunJobReturnsWhenDone) {
  EXPECT_TRUE(test::ends_in_time([] {
    worker_pool pool(2, thread_end::joined);
    for (int i = 0; i != 200; ++i) {
      shared_job work;

      pool.run_job(work, std::size_t{1} << 20);

      ASSERT_EQ(work.done, 1000);
    }
  }));
}

TEST(WorkerPool, HostFunctionMayPostDuringDestruction) {
  EXPECT_TRUE(test::ends_in_time([] {
    std::latch started(1);
    std::atomic<bool> finished = false;
    {
      worker_pool pool(1, thread_end::joined);
      pool.call([&] {
        started.count_down();
        for (int i = 0; i != 1000; ++i) pool.post(runnable_that([] {}), 1);
        finished = true;
      });
      started.wait();
    }

    EXPECT_TRUE(finished);
  }));
}

}  // namespace
}  // namespace convoy::threads
