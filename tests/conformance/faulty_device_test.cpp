#include "support/faulty_device.hpp"

#include "cpu/cpu_device.hpp"
#include "support/box_conformance.hpp"
#include "support/device_conformance.hpp"

namespace convoy::test {
namespace {

class faulty_subject {
 public:
  faulty_device& port() { return device_; }

 private:
  threads::worker_pool workers_{2, threads::thread_end::joined};
  cpu::cpu_device inner_{workers_};
  faulty_device device_{inner_};
};

INSTANTIATE_TYPED_TEST_SUITE_P(Faulty, DeviceConformance, faulty_subject);
INSTANTIATE_TYPED_TEST_SUITE_P(Faulty, BoxConformance, faulty_subject);

class FaultyDevice : public testing::Test {
 protected:
  faulty_device& device() { return subject_.port(); }
  status run() {
    dst_ = zeros(src_.size());
    const copy all{dst_.data(), src_.data(), src_.size()};
    return run_on(device(), work_of({&all, 1}));
  }
  [[nodiscard]] bool moved() const { return dst_ == src_; }
  [[nodiscard]] bool untouched() const { return dst_ == zeros(src_.size()); }

  const status reason_{errc::device_failure, copy_side::none, 7};

 private:
  faulty_subject subject_;
  const bytes src_ = numbered(100);
  bytes dst_;
};

TEST_F(FaultyDevice, FailedWorkMovesNothing) {
  device().fail_next(reason_);

  EXPECT_EQ(run(), reason_);
  EXPECT_TRUE(untouched());
}

TEST_F(FaultyDevice, FailNextFailsOnce) {
  device().fail_next(reason_);

  EXPECT_EQ(run(), reason_);
  EXPECT_OK(run());
  EXPECT_TRUE(moved());
}

TEST_F(FaultyDevice, FailsPitchedCopiesAndFills) {
  bytes dst = zeros(10);
  device().fail_every(1, reason_);

  EXPECT_EQ(run_on(device(), pitched_copy{{&dst[0], 5, 0}, {&dst[5], 5, 0}, {5, 1, 1}}), reason_);
  EXPECT_EQ(fill_on(device(), {&dst[0], 10, 0}, {10, 1, 1}, {1, 1}), reason_);
  EXPECT_EQ(dst, zeros(10));
}

TEST_F(FaultyDevice, FailsEveryThird) {
  device().fail_every(3, reason_);

  for (int round = 0; round != 3; ++round) {
    EXPECT_OK(run());
    EXPECT_OK(run());
    EXPECT_EQ(run(), reason_);
    EXPECT_TRUE(untouched());
  }
}

TEST_F(FaultyDevice, FailEveryZeroStopsFailing) {
  device().fail_every(1, reason_);
  EXPECT_EQ(run(), reason_);

  device().fail_every(0, {});

  EXPECT_OK(run());
}

TEST_F(FaultyDevice, HookRunsBeforeAnythingMoves) {
  std::vector<bool> untouched_before;
  device().before_each([&] { untouched_before.push_back(untouched()); });

  EXPECT_OK(run());
  EXPECT_OK(run());

  EXPECT_EQ(untouched_before, (std::vector{true, true}));
  EXPECT_TRUE(moved());
}

TEST_F(FaultyDevice, HookMayFailItsWork) {
  device().before_each([this] { device().fail_next(reason_); });

  EXPECT_EQ(run(), reason_);
  EXPECT_TRUE(untouched());
}

TEST_F(FaultyDevice, RemovedHookIsNotCalled) {
  int calls = 0;
  device().before_each([&] { ++calls; });
  EXPECT_OK(run());

  device().before_each({});
  EXPECT_OK(run());

  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace convoy::test
