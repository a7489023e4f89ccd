#include "threads/parallel_jobs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <latch>
#include <thread>
#include <vector>

#include "os/process.hpp"
#include "support/eventually.hpp"
#include "support/thread_state.hpp"

namespace convoy::threads {
namespace {

// Counts how often each unit was done.
class counting_job final : public job {
 public:
  explicit counting_job(std::size_t units) : job(units), done_(units) {}

  [[nodiscard]] bool each_done_once() const {
    return std::all_of(done_.begin(), done_.end(), [](const auto& n) { return n == 1; });
  }

 private:
  void run(std::size_t unit) override { ++done_[unit]; }

  std::vector<std::atomic<int>> done_;
};

TEST(Job, RunsEachUnitOnce) {
  counting_job work(10);

  EXPECT_TRUE(work.work());

  EXPECT_TRUE(work.each_done_once());
  EXPECT_FALSE(work.work());
}

// Records the order in which units are done.
class ordered_job final : public job {
 public:
  explicit ordered_job(std::size_t units) : job(units) {}
  std::vector<std::size_t> order;

 private:
  void run(std::size_t unit) override {
    order.push_back(unit);
    if (order.size() == 2) help();
  }
};

TEST(Job, OwnerTakesFrontHelpersTakeBack) {
  ordered_job work(5);

  work.work();

  EXPECT_EQ(work.order, (std::vector<std::size_t>{0, 1, 4, 3, 2}));
  EXPECT_FALSE(work.help());
}

TEST(ParallelJobs, NothingToHelpWithAtFirst) {
  parallel_jobs jobs;

  EXPECT_FALSE(jobs.has_work());
  EXPECT_FALSE(jobs.help_offered());
}

TEST(ParallelJobs, OthersHelpWithOfferedJob) {
  parallel_jobs jobs;
  counting_job work(10);
  const parallel_jobs::scoped_offer offer(jobs, work);

  EXPECT_TRUE(jobs.has_work());
  EXPECT_TRUE(jobs.help_offered());

  EXPECT_TRUE(work.each_done_once());
  EXPECT_FALSE(jobs.help_offered());
}

TEST(ParallelJobs, WithdrawnJobIsForgotten) {
  parallel_jobs jobs;
  counting_job work(10);
  { const parallel_jobs::scoped_offer offer(jobs, work); }

  EXPECT_FALSE(jobs.has_work());
  EXPECT_FALSE(jobs.help_offered());
  EXPECT_FALSE(work.each_done_once());
}

TEST(ParallelJobs, OffersNoMoreJobsThanSlots) {
  parallel_jobs jobs;
  std::deque<counting_job> all;
  std::deque<parallel_jobs::scoped_offer> offers;
  for (int i = 0; i != 40; ++i) offers.emplace_back(jobs, all.emplace_back(1));

  EXPECT_TRUE(jobs.help_offered());

  EXPECT_TRUE(all.front().each_done_once());
  EXPECT_FALSE(all.back().each_done_once());
}

// Its helpers stay in their unit until they are released.
class held_job final : public job {
 public:
  held_job() : job(2) {}
  std::latch helped{1};
  std::latch released{1};

 private:
  void run(std::size_t unit) override {
    if (unit == 0) return helped.wait();
    helped.count_down();
    released.wait();
  }
};

TEST(ParallelJobs, OwnerSleepsUntilHelpersAreDone) {
  EXPECT_TRUE(test::ends_in_time([] {
    parallel_jobs jobs;
    held_job work;
    std::atomic<long> owner_id = 0;
    std::atomic<bool> withdrawn = false;
    std::jthread owner([&] {
      owner_id = os::thread_id();
      {
        const parallel_jobs::scoped_offer offer(jobs, work);
        work.work();
      }
      withdrawn = true;
    });
    std::jthread helper([&] {
      while (!jobs.help_offered()) std::this_thread::yield();
    });

    work.helped.wait();
    EXPECT_TRUE(test::eventually([&] { return test::sleeps_without_deadline(owner_id); }));
    EXPECT_FALSE(withdrawn);
    work.released.count_down();
  }));
}

TEST(ParallelJobs, ManyThreadsOfferAndHelp) {
  EXPECT_TRUE(test::ends_in_time([] {
    parallel_jobs jobs;
    std::atomic<int> owners = 3;
    std::vector<std::jthread> threads;
    for (int p = 0; p != 3; ++p) {
      threads.emplace_back([&] {
        for (int i = 0; i != 2000; ++i) {
          counting_job work(1 + i % 7);
          {
            const parallel_jobs::scoped_offer offer(jobs, work);
            work.work();
          }
          EXPECT_TRUE(work.each_done_once());
        }
        --owners;
      });
    }
    for (int h = 0; h != 2; ++h) {
      threads.emplace_back([&] {
        while (owners != 0) jobs.help_offered();
      });
    }
  }));
}

}  // namespace
}  // namespace convoy::threads
