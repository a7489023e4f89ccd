#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <thread>

#include "stream/work_queue.hpp"
#include "support/eventually.hpp"
#include "support/limited_threads.hpp"
#include "support/manual_executor.hpp"
#include "support/outcome.hpp"
#include "support/scripted_step.hpp"
#include "threads/host_threads.hpp"
#include "threads/worker_pool.hpp"

namespace convoy::test {
namespace {

using threads::host_threads;
using threads::thread_end;
using threads::worker_pool;

TEST(HostThreadsLimit, FirstThreadStartsAtOnce) {
  const limited_threads system(5);

  host_threads subject(thread_end::joined, system.starter());

  EXPECT_EQ(system.left(), 4);
}

TEST(HostThreadsLimit, IdleThreadTakesTheFirstFunction) {
  const limited_threads system(5);
  {
    host_threads subject(thread_end::joined, system.starter());
    EXPECT_TRUE(subject.call([] {}));
  }

  EXPECT_EQ(system.left(), 4);
}

TEST(HostThreadsLimit, FunctionsQueueForExistingThread) {
  EXPECT_TRUE(ends_in_time([] {
    const limited_threads system(1);
    std::atomic<int> ran = 0;
    {
      host_threads subject(thread_end::joined, system.starter());
      for (int i = 0; i != 20; ++i) EXPECT_TRUE(subject.call([&] { ++ran; }));
    }

    EXPECT_EQ(ran, 20);
  }));
}

TEST(HostThreadsLimit, WithoutThreadsACallIsRefused) {
  const limited_threads system(0);
  bool ran = false;
  {
    host_threads subject(thread_end::joined, system.starter());
    EXPECT_FALSE(subject.call([&] { ran = true; }));
  }

  EXPECT_FALSE(ran);
}

TEST(HostThreadsLimit, EndedThreadsMakeRoomForOthers) {
  EXPECT_TRUE(ends_in_time([] {
    limited_threads system(0);
    bool ran = false;
    {
      host_threads subject(thread_end::joined, system.starter());
      system.allow(1);
      EXPECT_TRUE(subject.call([&] { ran = true; }));
    }

    EXPECT_TRUE(ran);
  }));
}

// A queue whose steps run in a pool that gets `threads` threads for 4 workers. The pool is
// destroyed before what its steps use: its destructor joins the threads.
class PoolLimit : public testing::Test {
 protected:
  struct limited_pool {
    explicit limited_pool(int threads) : system(threads) {}
    limited_threads system;
    worker_pool pool{4, thread_end::joined, {.start = system.starter()}};
    std::shared_ptr<work_queue> queue = std::make_shared<work_queue>(queue_context{pool});
  };
};

TEST_F(PoolLimit, FewerWorkersThanAskedAreEnough) {
  EXPECT_TRUE(ends_in_time([] {
    std::latch ran(1);
    limited_pool limited(2);

    limited.queue->push(step_that([&] { ran.count_down(); }));

    ran.wait();
    EXPECT_FALSE(limited.pool.needs_waiters());
  }));
}

TEST_F(PoolLimit, HostThreadRunsPostedWork) {
  EXPECT_TRUE(ends_in_time([] {
    std::latch ran(100);
    limited_pool limited(1);

    for (int i = 0; i != 100; ++i) limited.queue->push(step_that([&] { ran.count_down(); }));

    ran.wait();
    EXPECT_TRUE(limited.pool.needs_waiters());
  }));
}

TEST_F(PoolLimit, WaiterWorksWhileHostThreadBlocks) {
  EXPECT_TRUE(ends_in_time([] {
    std::latch started(1);
    std::latch released(1);
    limited_pool limited(1);
    limited.pool.call([&] {
      started.count_down();
      released.wait();
    });
    started.wait();
    bool ran = false;

    EXPECT_OK(limited.queue->wait(limited.queue->push(step_that([&] { ran = true; })), {}));

    EXPECT_TRUE(ran);
    released.count_down();
  }));
}

TEST_F(PoolLimit, WithoutThreadsTheWaiterRunsEverything) {
  limited_pool limited(0);
  int ran = 0;
  for (int i = 0; i != 100; ++i) limited.queue->push(step_that([&] { ++ran; }));
  EXPECT_EQ(ran, 0);

  EXPECT_OK(limited.queue->wait(ticket{100}, within_limit()));

  EXPECT_EQ(ran, 100);
}

TEST_F(PoolLimit, PostedWorkCanRunWithoutThreads) {
  limited_pool limited(0);
  const auto other = std::make_shared<work_queue>(queue_context{limited.pool});
  int ran = 0;
  limited.queue->push(step_that([&] { ++ran; }));
  other->push(step_that([&] { ++ran; }));

  limited.pool.run_all_posted();

  EXPECT_EQ(ran, 2);
  EXPECT_TRUE(limited.queue->empty());
  EXPECT_TRUE(other->empty());
}

// The waiter sleeps when the work arrives: another thread submits it to a stream that no thread
// waits for, and the waiter's stream depends on it.
TEST_F(PoolLimit, SleepingWaiterFindsLaterWork) {
  EXPECT_TRUE(ends_in_time([] {
    limited_pool limited(0);
    const auto other = std::make_shared<work_queue>(queue_context{limited.pool});
    const auto opened = std::make_shared<signal>(std::weak_ptr<work_queue>());
    limited.queue->push(waiting_for({opened}));
    std::latch waits(1);
    std::jthread waiter([&] {
      waits.count_down();
      EXPECT_OK(limited.queue->wait(ticket{1}, {}));
    });
    waits.wait();

    other->push(raising(opened));
  }));
}

TEST_F(PoolLimit, OwnerDoesJobWithoutThreads) {
  class counting_job final : public threads::job {
   public:
    counting_job() : job(50) {}
    int done = 0;

   private:
    void run(std::size_t) override { ++done; }
  };
  limited_pool limited(0);
  counting_job work;

  limited.pool.run_job(work, std::size_t{1} << 30);

  EXPECT_EQ(work.done, 50);
}

class QueueWithoutThreads : public testing::Test {
 protected:
  QueueWithoutThreads() { executor_.has_threads = false; }

  manual_executor executor_;
  std::shared_ptr<work_queue> queue_ = std::make_shared<work_queue>(queue_context{executor_});
  call_log log_;
};

TEST_F(QueueWithoutThreads, StepThatMayBlockFails) {
  const ticket failed = queue_->push(step_that_may_block([this] { log_.add("blocking"); }));
  queue_->push(log_.step_logging("later"));

  executor_.run_all();

  EXPECT_EQ(log_.text(), "later");
  EXPECT_TRUE(queue_->empty());
  EXPECT_ANSWER(queue_->failure_of(failed), errc::out_of_threads);
}

TEST_F(QueueWithoutThreads, WaiterGetsTheFailure) {
  const ticket first = queue_->push(step_that_may_block([] {}));
  const ticket second = queue_->push(step_that_may_block([] {}));

  EXPECT_ANSWER(queue_->wait(second, within_limit()), errc::out_of_threads);

  EXPECT_TRUE(queue_->landed(first));
}

TEST_F(QueueWithoutThreads, StepStillWaitsForItsSignals) {
  const auto opened = std::make_shared<signal>(std::weak_ptr<work_queue>());
  queue_->push(waiting_for({opened}, step_that_may_block([] {})));

  executor_.run_all();
  EXPECT_FALSE(queue_->empty());
  opened->raise();
  executor_.run_all();

  EXPECT_TRUE(queue_->empty());
}

TEST_F(QueueWithoutThreads, SkippedStepIsSkipped) {
  queue_->stop_after_failure(true);
  queue_->push(step_that_answers({errc::fault}));
  queue_->push(step_that_may_block([] {}));

  executor_.run_all();

  EXPECT_ANSWER(queue_->error(), errc::fault);
}

}  // namespace
}  // namespace convoy::test
