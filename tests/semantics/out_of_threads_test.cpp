#include <algorithm>
#include <atomic>
#include <convoy/convoy.hpp>
#include <vector>

#include "support/contents.hpp"
#include "support/eventually.hpp"
#include "support/sanitizers.hpp"
#include "support/thread_limit.hpp"

namespace convoy {
namespace {

using namespace test;

class OutOfThreads : public thread_limit_test {
 protected:
  static constexpr std::size_t large = std::size_t{4} << 20;
};

TEST_F(OutOfThreads, WaitersCopy) {
  EXPECT_EXIT(
      {
        if (!forbid_new_threads()) ::_exit(1);
        const bytes small = numbered(100);
        const bytes all = numbered(large);
        end_well_if(contents_of(device_holding(small)) == small &&
                    contents_of(device_holding(all)) == all);
      },
      ended_well, "");
}

TEST_F(OutOfThreads, WaitFollowsEventsToOtherStreams) {
  EXPECT_EXIT(
      {
        if (!forbid_new_threads()) ::_exit(1);
        const stream first = new_stream();
        const stream second = new_stream();
        const event done = must(make_event(first_device));
        const bytes source = numbered(large);
        const buffer between = device_holding(zeros(large));
        bytes target = zeros(large);
        must(submit(first, copy{between.data(), source.data(), large}));
        must(record(first, done));
        must(wait(second, done));
        must(submit(second, copy{target.data(), between.data(), large}));
        end_well_if(second.synchronize().ok() && target == source);
      },
      ended_well, "");
}

TEST_F(OutOfThreads, QueriesMakeProgress) {
  EXPECT_EXIT(
      {
        if (!forbid_new_threads()) ::_exit(1);
        const stream s = new_stream();
        const event done = must(make_event(first_device));
        const bytes source = numbered(large);
        const buffer target = device_holding(zeros(large));
        must(submit(s, copy{target.data(), source.data(), large}));
        must(record(s, done));
        const bool event_done = eventually([&] { return done.query().ok(); });
        const ticket last = must(submit(s, copy{target.data(), source.data(), large}));
        const bool ticket_done = eventually([&] { return must(s.landed(last)); });
        must(submit(s, copy{target.data(), source.data(), large}));
        const bool stream_done = eventually([&] { return s.query().ok(); });
        end_well_if(event_done && ticket_done && stream_done && contents_of(target) == source);
      },
      ended_well, "");
}

TEST_F(OutOfThreads, WaitForOneStreamRunsOthers) {
  EXPECT_EXIT(
      {
        if (!forbid_new_threads()) ::_exit(1);
        const stream waited = new_stream();
        const buffer target = pinned_holding(zeros(large));
        const bytes source = numbered(large);
        {
          const stream destroyed = new_stream();
          must(submit(destroyed, copy{target.data(), source.data(), large}));
        }
        end_well_if(waited.synchronize().ok() &&
                    std::equal(source.begin(), source.end(), target.data()));
      },
      ended_well, "");
}

TEST_F(OutOfThreads, HostFunctionFailsItsStep) {
  EXPECT_EXIT(
      {
        if (!forbid_new_threads()) ::_exit(1);
        const stream s = new_stream();
        const buffer flag = pinned_holding(zeros(64));
        const bytes source = numbered(64);
        bool ran = false;
        must(call(s, [&] { ran = true; }));
        must(submit(s, copy{flag.data(), source.data(), 64}));
        const bool failed = s.synchronize().code == errc::out_of_threads;
        const bool later_ran = flag.data()[1] == source[1];
        static_cast<void>(s.clear_error());
        must(wait_value(s, {flag.data(), 1, 4}, value_test::equal));
        end_well_if(failed && later_ran && !ran && s.synchronize().code == errc::out_of_threads);
      },
      ended_well, "");
}

TEST_F(OutOfThreads, LaterHostFunctionsShareOneThread) {
  EXPECT_EXIT(
      {
        std::vector<stream> streams;
        for (int i = 0; i != 10; ++i) streams.push_back(new_stream());
        if (!forbid_new_threads()) ::_exit(1);
        std::atomic<int> ran = 0;
        for (const stream& each : streams) must(call(each, [&] { ++ran; }));
        const bool landed = std::all_of(streams.begin(), streams.end(),
                                        [](const stream& s) { return s.synchronize().ok(); });
        end_well_if(landed && ran == 10);
      },
      ended_well, "");
}

TEST_F(OutOfThreads, ProcessMayExitWithPendingWork) {
  if (sanitized) GTEST_SKIP() << "LeakSanitizer starts a thread at exit";
  EXPECT_EXIT(
      {
        if (!forbid_new_threads()) ::_exit(1);
        static const stream s = new_stream();
        static const buffer target = must(make_device_buffer(first_device, large));
        must(fill(s, target.data(), large, {}));
        must(call(s, [] {}));
        std::exit(0);
      },
      ended_well, "");
}

}  // namespace
}  // namespace convoy
