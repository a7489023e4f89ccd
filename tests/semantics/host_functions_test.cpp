#include <pthread.h>

#include <convoy/convoy.hpp>
#include <deque>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/contents.hpp"
#include "support/gate.hpp"

namespace convoy {
namespace {

using namespace test;

TEST(HostFunction, RunsInStreamOrder) {
  const stream s = new_stream();
  const bytes source = numbered(64);
  const buffer host = pinned_holding(zeros(64));
  bytes seen;
  bytes after = zeros(64);

  EXPECT_OK(submit(s, copy{host.data(), source.data(), 64}));
  EXPECT_OK(call(s, [&] {
    seen.assign(host.data(), host.data() + 64);
    host.data()[0] = std::byte{0xee};
  }));
  EXPECT_OK(submit(s, copy{after.data(), host.data(), 64}));

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(seen, source);
  EXPECT_EQ(after[0], std::byte{0xee});
}

TEST(HostFunction, RunsOnConvoyThread) {
  const stream s = new_stream();
  std::thread::id ran_on;

  EXPECT_OK(call(s, [&] { ran_on = std::this_thread::get_id(); }));

  EXPECT_OK(s.synchronize());
  EXPECT_NE(ran_on, std::thread::id());
  EXPECT_NE(ran_on, std::this_thread::get_id());
}

TEST(HostFunction, ThrowingFunctionFailsItsStep) {
  const stream s = new_stream();
  bool later_ran = false;

  EXPECT_OK(call(s, [] { throw std::runtime_error("no"); }));
  EXPECT_OK(call(s, [&] { later_ran = true; }));

  EXPECT_ANSWER(s.synchronize(), errc::function_threw);
  EXPECT_TRUE(later_ran);
}

TEST(HostFunction, ExitingThreadFailsItsStep) {
  const stream s = new_stream();
  const auto held = std::make_shared<int>(1);
  bool later_ran = false;

  for (int i = 0; i != 3; ++i) EXPECT_OK(call(s, [held] { ::pthread_exit(nullptr); }));
  EXPECT_OK(call(s, [&] { later_ran = true; }));

  EXPECT_ANSWER(s.synchronize(), errc::function_threw);
  EXPECT_TRUE(later_ran);
  EXPECT_EQ(held.use_count(), 1);
}

TEST(HostFunction, EmptyFunctionIsRefused) {
  const stream s = new_stream();

  EXPECT_ANSWER(call(s, {}), errc::null_pointer);

  EXPECT_OK(s.query());
}

TEST(HostFunction, CapturesAreReleasedAfterRun) {
  const stream s = new_stream();
  const auto held = std::make_shared<int>(1);

  EXPECT_OK(call(s, [held] {}));

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(held.use_count(), 1);
}

TEST(HostFunction, ManyMayBlockConcurrently) {
  constexpr int count = 50;
  std::deque<stream> streams;
  std::deque<gate> gates;
  for (int i = 0; i != count; ++i) gates.emplace_back(streams.emplace_back(new_stream()));

  for (gate& each : gates) each.wait_for_arrival();
  const buffer target = device_holding(numbered(64));
  EXPECT_EQ(contents_of(target), numbered(64));

  while (!gates.empty()) gates.pop_back();
  for (const stream& each : streams) EXPECT_OK(each.synchronize());
}

TEST(HostFunction, MayWaitForOtherStream) {
  const stream one = new_stream();
  const stream two = new_stream();
  std::promise<void> done;

  EXPECT_OK(call(one, [&] { done.get_future().wait(); }));
  EXPECT_OK(call(two, [&] { done.set_value(); }));

  EXPECT_OK(one.synchronize());
  EXPECT_OK(two.synchronize());
}

TEST(HostFunction, WaitForOwnStreamIsRefused) {
  const stream s = new_stream();
  const event later = must(make_event(device_id{0}));
  gate before(s);
  std::vector<status> answers;
  ticket own = {};

  own = must(call(s, [&] {
    answers = {s.synchronize(), s.synchronize(std::chrono::hours(1)), s.synchronize(own),
               later.synchronize(), device(device_id{0}).synchronize()};
  }));
  EXPECT_OK(record(s, later));
  before.open();

  EXPECT_OK(s.synchronize());
  ASSERT_EQ(answers.size(), 5U);
  for (const status& each : answers) EXPECT_ANSWER(each, errc::not_permitted);
}

TEST(HostFunction, WaitThroughOtherStreamIsRefused) {
  const stream own = new_stream();
  const stream other = new_stream();
  const event later = must(make_event(device_id{0}));
  gate before(own);
  status answer;

  EXPECT_OK(call(own, [&] { answer = other.synchronize(); }));
  EXPECT_OK(record(own, later));
  EXPECT_OK(wait(other, later));
  before.open();

  EXPECT_OK(own.synchronize());
  EXPECT_OK(other.synchronize());
  EXPECT_ANSWER(answer, errc::not_permitted);
}

}  // namespace
}  // namespace convoy
