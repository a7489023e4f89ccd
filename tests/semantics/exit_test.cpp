#include <convoy/convoy.hpp>
#include <thread>

#include "support/contents.hpp"
#include "support/gate.hpp"
#include "support/own_process.hpp"

namespace convoy {
namespace {

using namespace test;

class Exit : public own_process {};

TEST_F(Exit, HeldStreamDoesNotHang) {
  EXPECT_EXIT(
      {
        const stream s = new_stream();
        const bytes source = numbered(64);
        const buffer target = device_holding(zeros(64));
        gate closed(s);
        closed.wait_for_arrival();
        if (!submit(s, copy{target.data(), source.data(), 64})) ::_exit(1);
        std::exit(0);
      },
      ended_well, "");
}

TEST_F(Exit, RunningCopiesDoNotCrash) {
  EXPECT_EXIT(
      {
        const std::size_t size = 64U << 20;
        const stream s = new_stream();
        const buffer source = must(make_device_buffer(first_device, size));
        const buffer target = must(make_device_buffer(first_device, size));
        for (int i = 0; i != 10; ++i) {
          if (!submit(s, copy{target.data(), source.data(), size})) ::_exit(1);
        }
        std::exit(0);
      },
      ended_well, "");
}

TEST_F(Exit, StaticOwnersMayOutliveMain) {
  EXPECT_EXIT(
      {
        static const stream s = new_stream();
        static const buffer held = device_holding(numbered(64));
        static const event e = must(make_event(first_device));
        static gate closed(s);
        if (!record(s, e)) ::_exit(1);
        std::exit(0);
      },
      ended_well, "");
}

TEST_F(Exit, WaitingThreadDoesNotHang) {
  EXPECT_EXIT(
      {
        static const stream_ref s = new_stream().release();
        gate closed(s);
        closed.wait_for_arrival();
        std::thread([] { static_cast<void>(s.synchronize()); }).detach();
        std::exit(0);
      },
      ended_well, "");
}

}  // namespace
}  // namespace convoy
