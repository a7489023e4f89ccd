#include "threads/worker_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <latch>
#include <memory>
#include <string>
#include <thread>

#include "support/eventually.hpp"
#include "support/thread_state.hpp"

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

// True when so many workers come to sleep without a deadline.
bool workers_sleep(std::size_t count) {
  return test::eventually([=] {
    const auto workers = test::threads_named("convoy-worker");
    return workers.size() == count &&
           std::all_of(workers.begin(), workers.end(), test::sleeps_without_deadline);
  });
}

TEST(WorkerPool, RunsPostedWorkWithoutWaiter) {
  EXPECT_TRUE(test::ends_in_time([] {
    worker_pool pool(1, thread_end::joined);
    std::latch ran(1);

    pool.post(runnable_that([&] { ran.count_down(); }), 1);

    ran.wait();
  }));
}

TEST(WorkerPool, SmallPostWakesSleepingWorker) {
  EXPECT_TRUE(test::ends_in_time([] {
    worker_pool pool(2, thread_end::joined);
    ASSERT_TRUE(workers_sleep(2));
    std::latch ran(1);

    pool.post(runnable_that([&] { ran.count_down(); }), 1);

    ran.wait();
  }));
}

TEST(WorkerPool, LargePostWakesSleepingWorker) {
  EXPECT_TRUE(test::ends_in_time([] {
    worker_pool pool(2, thread_end::joined);
    ASSERT_TRUE(workers_sleep(2));
    std::latch ran(1);

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

    EXPECT_TRUE(workers_sleep(2));
  }));
}

TEST(WorkerPool, RunsByPriorityThenInOrder) {
  EXPECT_TRUE(test::ends_in_time([] {
    worker_pool pool(1, thread_end::joined);
    std::latch busy(1);
    std::latch all_posted(1);
    std::latch ran(4);
    std::string order;
    pool.post(runnable_that([&] {
                busy.count_down();
                all_posted.wait();
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
    all_posted.count_down();

    ran.wait();
    EXPECT_EQ(order, "abcd");
  }));
}

TEST(WorkerPool, DoublePostRunsOnce) {
  EXPECT_TRUE(test::ends_in_time([] {
    worker_pool pool(1, thread_end::joined);
    std::latch busy(1);
    std::latch all_posted(1);
    std::latch last(1);
    int runs = 0;
    pool.post(runnable_that([&] {
                busy.count_down();
                all_posted.wait();
              }),
              1);
    busy.wait();
    const auto twice = runnable_that([&] { ++runs; });
    pool.post(twice, 1);
    pool.post(twice, 1);
    pool.post(runnable_that([&] { last.count_down(); }), 1);
    all_posted.count_down();

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

// A runnable whose submitter makes progress by itself for a while.
class run_by_submitter final : public runnable {
 public:
  explicit run_by_submitter(std::latch& ran) : ran_(ran) {}
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
    const auto work = std::make_shared<run_by_submitter>(ran);

    pool.post(work, 1);
    ran.wait();

    EXPECT_FALSE(work->posted);
    EXPECT_GE(work->progress(), 20U);
  }));
}

TEST(WorkerPool, PostDuringFallingAsleepIsRun) {
  EXPECT_TRUE(test::ends_in_time([] {
    worker_pool pool(2, thread_end::joined);
    for (int i = 0; i != 500; ++i) {
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

// Keeps every thread that takes a unit until `threads` have one, and counts the workers that are
// awake meanwhile.
class crowded_job final : public job {
 public:
  crowded_job(const worker_pool& pool, std::size_t units, int threads)
      : job(units), pool_(pool), threads_(threads) {}
  std::atomic<int> most_awake = 0;

 private:
  void run(std::size_t) override {
    ++arrived_;
    EXPECT_TRUE(test::eventually([&] { return arrived_ >= threads_; }));
    const int awake = pool_.awake_workers();
    for (int seen = most_awake; seen < awake && !most_awake.compare_exchange_weak(seen, awake);) {
    }
  }

  const worker_pool& pool_;
  const int threads_;
  std::atomic<int> arrived_ = 0;
};

constexpr std::size_t large = std::size_t{64} << 20;

// The most workers that were awake during a job of this many units, of which `together` run at
// once.
int most_awake(int workers, int cpus, std::size_t units, int together) {
  const auto most =
      std::make_shared<std::atomic<int>>(-1);  // a job that hangs may outlive the test
  EXPECT_TRUE(test::ends_in_time([=] {
    worker_pool pool(workers, thread_end::joined, {.cpus = cpus});
    ASSERT_TRUE(workers_sleep(static_cast<std::size_t>(workers)));
    crowded_job work(pool, units, together);
    pool.run_job(work, large);
    *most = work.most_awake.load();
  }));
  return *most;
}

TEST(WorkerPool, JobWakesOneWorkerPerCpu) { EXPECT_EQ(most_awake(8, 4, 100, 4), 3); }

TEST(WorkerPool, JobWakesOneWorkerPerUnit) { EXPECT_EQ(most_awake(8, 64, 3, 3), 2); }

TEST(WorkerPool, JobOnOneCpuWakesNone) { EXPECT_EQ(most_awake(4, 1, 10, 1), 0); }

TEST(WorkerPool, PostWakesOneWorkerPerCpu) {
  EXPECT_TRUE(test::ends_in_time([] {
    for (const int cpus : {1, 2, 4}) {
      worker_pool pool(8, thread_end::joined, {.cpus = cpus});
      ASSERT_TRUE(workers_sleep(8));
      std::latch ran(1);

      for (int i = 0; i != 3; ++i) pool.more_work(large);
      EXPECT_LE(pool.awake_workers(), std::max(cpus - 1, 1));
      pool.post(runnable_that([&] { ran.count_down(); }), large);
      EXPECT_LE(pool.awake_workers(), std::max(cpus - 1, 1));

      ran.wait();
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
