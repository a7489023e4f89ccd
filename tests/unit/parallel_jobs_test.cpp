#include "threads/parallel_jobs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <thread>
#include <vector>

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

TEST(Job, DoesEachUnitOnce) {
  counting_job work(10);

  EXPECT_FALSE(work.exhausted());
  EXPECT_TRUE(work.work());

  EXPECT_TRUE(work.exhausted());
  EXPECT_TRUE(work.each_done_once());
  EXPECT_FALSE(work.work());
}

// Notes the units in the order they are done.
class noting_job final : public job {
 public:
  explicit noting_job(std::size_t units) : job(units) {}
  std::vector<std::size_t> order;

 private:
  void run(std::size_t unit) override {
    order.push_back(unit);
    if (order.size() == 2) help();
  }
};

TEST(Job, GivesItsOwnerTheFrontAndHelpersTheBack) {
  noting_job work(5);

  work.work();

  EXPECT_EQ(work.order, (std::vector<std::size_t>{0, 1, 4, 3, 2}));
  EXPECT_FALSE(work.help());
}

TEST(JobBoard, HasNothingToJoinWhenNothingIsPosted) {
  job_board board;

  EXPECT_FALSE(board.has_work());
  EXPECT_FALSE(board.join());
}

TEST(JobBoard, LetsOthersJoinAPostedJob) {
  job_board board;
  counting_job work(10);
  const job_board::posting shown(board, work);

  EXPECT_TRUE(board.has_work());
  EXPECT_TRUE(board.join());

  EXPECT_TRUE(work.each_done_once());
  EXPECT_FALSE(board.join());
}

TEST(JobBoard, ForgetsAJobThatIsTakenOff) {
  job_board board;
  counting_job work(10);
  { const job_board::posting shown(board, work); }

  EXPECT_FALSE(board.has_work());
  EXPECT_FALSE(board.join());
  EXPECT_FALSE(work.exhausted());
}

TEST(JobBoard, ShowsNoMoreJobsThanItHasPlaces) {
  job_board board;
  std::deque<counting_job> jobs;
  std::deque<job_board::posting> shown;
  for (int i = 0; i != 40; ++i) shown.emplace_back(board, jobs.emplace_back(1));

  EXPECT_TRUE(board.join());

  EXPECT_TRUE(jobs.front().exhausted());
  EXPECT_FALSE(jobs.back().exhausted());
}

TEST(JobBoard, ServesPostersAndHelpersAtOnce) {
  job_board board;
  std::atomic<int> posters = 3;
  std::vector<std::jthread> threads;
  for (int p = 0; p != 3; ++p) {
    threads.emplace_back([&] {
      for (int i = 0; i != 2000; ++i) {
        counting_job work(1 + i % 7);
        {
          const job_board::posting shown(board, work);
          work.work();
        }
        EXPECT_TRUE(work.each_done_once());
      }
      --posters;
    });
  }
  for (int h = 0; h != 2; ++h) {
    threads.emplace_back([&] {
      while (posters != 0) board.join();
    });
  }
}

}  // namespace
}  // namespace convoy::threads
