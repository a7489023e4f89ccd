#include "runtime/observed_calls.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <convoy/api_function.hpp>
#include <convoy/batch.hpp>
#include <convoy/buffer.hpp>
#include <convoy/device.hpp>
#include <convoy/failures.hpp>
#include <convoy/ipc.hpp>
#include <convoy/memory.hpp>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "support/eventually.hpp"
#include "support/outcome.hpp"

namespace convoy {
namespace {

using test::must;
using test::time_limit;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::IsEmpty;
using testing::SizeIs;

constexpr device_id no_device{max_devices};
constexpr ticket unknown_ticket{99};
constexpr std::array null_copy{copy{nullptr, nullptr, 1}};

// Records the API function of every refused call, of every synchronization and of every step.
class call_recorder final : public observer {
 public:
  void submitted(const observed_step& step) override {
    const std::lock_guard held(mutex_);
    step_functions_.emplace_back(step.call->function);
  }
  void started(const observed_step&) override {}
  void landed(const observed_step&, const status&) override {}
  void refused(const refused_call& call) override { add(call.function); }
  void synchronized(const observed_sync& sync) override { add(sync.function); }

  std::vector<std::string> take() {
    const std::lock_guard held(mutex_);
    return std::exchange(functions_, {});
  }
  std::vector<std::string> take_of_steps() {
    const std::lock_guard held(mutex_);
    return std::exchange(step_functions_, {});
  }

 private:
  void add(const char* function) {
    const std::lock_guard held(mutex_);
    functions_.emplace_back(function);
  }

  std::mutex mutex_;
  std::vector<std::string> functions_;
  std::vector<std::string> step_functions_;
};

// Lives as long as the workers, which may still call it when a test ends.
call_recorder& recorder() {
  static auto* const only = new call_recorder;
  return *only;
}

// A call, the function that the observer is to learn of, and the name of its test.
struct observed_case {
  const char* label;
  const char* function;
  status (*call)(stream_ref stream);
};

class ObservedCall : public testing::Test {
 protected:
  void SetUp() override { slot_.store(&recorder()); }
  void TearDown() override { slot_.store(before_); }

  // The functions that the observer learned of during the call.
  std::vector<std::string> functions_of(const observed_case& made) const {
    recorder().take();
    static_cast<void>(made.call(stream_));
    return recorder().take();
  }

  observer_slot& slot_ = must(engine::get())->observers();
  observer* const before_ = slot_.load();
  const stream stream_ = must(make_stream(device_id{0}));
};

class RefusedCall : public ObservedCall, public testing::WithParamInterface<observed_case> {};
class SynchronizingCall : public ObservedCall, public testing::WithParamInterface<observed_case> {};

TEST_P(RefusedCall, NotifiesObserverOnce) {
  EXPECT_THAT(functions_of(GetParam()), ElementsAre(GetParam().function));
}

TEST_P(RefusedCall, HasNameOfDropInFunction) {
  const scoped_api_function inside("cudaStreamSynchronize");

  EXPECT_THAT(functions_of(GetParam()), ElementsAre("cudaStreamSynchronize"));
}

TEST_F(ObservedCall, DropInRefusalIsReported) {
  recorder().take();
  {
    const scoped_api_function inside("cudaMalloc");
    report_refused_call("cudaMalloc", {errc::invalid_argument});
  }
  report_refused_call("cuInit", {errc::invalid_argument});

  EXPECT_THAT(recorder().take(), ElementsAre("cudaMalloc", "cuInit"));
}

TEST_F(ObservedCall, EngineRefusalIsReportedOnce) {
  recorder().take();
  for (int i = 0; i != 2; ++i) {
    const scoped_api_function inside("cudaMemcpyAsync");
    const status refused = submit(stream_, null_copy).error();
    report_refused_call("cudaMemcpyAsync", refused);
  }

  EXPECT_THAT(recorder().take(), ElementsAre("cudaMemcpyAsync", "cudaMemcpyAsync"));
}

TEST_F(ObservedCall, FailedWorkIsNoRefusal) {
  recorder().take();
  report_refused_call("cudaStreamSynchronize", {errc::fault});
  report_refused_call("cudaStreamQuery", {errc::not_ready});

  EXPECT_THAT(recorder().take(), IsEmpty());
}

TEST_P(SynchronizingCall, NotifiesObserverOnce) {
  EXPECT_THAT(functions_of(GetParam()), ElementsAre(GetParam().function));
}

std::string label_of(const testing::TestParamInfo<observed_case>& info) { return info.param.label; }

constexpr observed_case refused_steps[] = {
    {"Batch", "convoy::submit",
     [](stream_ref s) { return submit(s, must(make_batch(null_copy))).error(); }},
    {"Copies", "convoy::submit", [](stream_ref s) { return submit(s, null_copy).error(); }},
    {"Copy", "convoy::submit", [](stream_ref s) { return submit(s, null_copy[0]).error(); }},
    {"View", "convoy::submit", [](stream_ref s) { return submit(s, batch_view{}).error(); }},
    {"Pitched", "convoy::submit",
     [](stream_ref s) {
       return submit(s, pitched_copy{{}, {}, {1, 1, 1}}).error();
     }},
    {"CopySync", "convoy::copy_sync", [](stream_ref s) { return copy_sync(s, null_copy[0]); }},
    {"Fill", "convoy::fill", [](stream_ref s) { return fill(s, nullptr, 1, {}).error(); }},
    {"Reduce", "convoy::reduce",
     [](stream_ref s) {
       return reduce(s, reduction{nullptr, nullptr, 4}).error();
     }},
    {"Indirect", "convoy::copy_indirect",
     [](stream_ref s) { return copy_indirect(s, nullptr).error(); }},
    {"Based", "convoy::copy_indirect",
     [](stream_ref s) { return copy_indirect(s, based_copy{}).error(); }},
    {"Prefetch", "convoy::prefetch_indirect",
     [](stream_ref s) { return prefetch_indirect(s, nullptr).error(); }},
    {"Call", "convoy::call", [](stream_ref s) { return call(s, {}).error(); }},
    {"Record", "convoy::record", [](stream_ref s) { return record(s, event_ref{}).error(); }},
    {"Wait", "convoy::wait", [](stream_ref s) { return wait(s, event_ref{}).error(); }},
    {"WriteValue", "convoy::write_value", [](stream_ref s) { return write_value(s, {}).error(); }},
    {"WaitValue", "convoy::wait_value",
     [](stream_ref s) { return wait_value(s, {}, value_test::equal).error(); }},
    {"Deallocate", "convoy::deallocate",
     [](stream_ref s) { return deallocate(s, nullptr).error(); }},
    {"UnknownStream", "convoy::submit",
     [](stream_ref) { return submit(stream_ref{}, null_copy).error(); }},
};

constexpr observed_case refused_stream_calls[] = {
    {"Make", "convoy::make_stream", [](stream_ref) { return make_stream(no_device).error(); }},
    {"Destroy", "convoy::destroy", [](stream_ref) { return destroy(stream_ref{}); }},
    {"DestroyDefault", "convoy::destroy",
     [](stream_ref) { return destroy(must(device(device_id{0}).default_stream())); }},
    {"Query", "convoy::query", [](stream_ref) { return stream_ref{}.query(); }},
    {"Landed", "convoy::landed", [](stream_ref) { return stream_ref{}.landed({}).error(); }},
    {"Synchronize", "convoy::synchronize", [](stream_ref) { return stream_ref{}.synchronize(); }},
    {"UnknownTicket", "convoy::synchronize",
     [](stream_ref s) { return s.synchronize(unknown_ticket); }},
    {"KeepAlive", "convoy::keep_alive",
     [](stream_ref s) { return keep_alive(s, unknown_ticket, nullptr); }},
    {"Abort", "convoy::abort", [](stream_ref) { return stream_ref{}.abort(); }},
    {"ClearError", "convoy::clear_error", [](stream_ref) { return stream_ref{}.clear_error(); }},
    {"AfterFailure", "convoy::set_after_failure",
     [](stream_ref) { return stream_ref{}.set_after_failure(after_failure::stop); }},
    {"StopWith", "convoy::stop_with", [](stream_ref s) { return s.stop_with(stream_ref{}); }},
    {"Allocate", "convoy::allocate", [](stream_ref) { return allocate(stream_ref{}, 1).error(); }},
    {"AllocateNothing", "convoy::allocate", [](stream_ref s) { return allocate(s, 0).error(); }},
};

constexpr observed_case refused_event_calls[] = {
    {"Make", "convoy::make_event", [](stream_ref) { return make_event(no_device).error(); }},
    {"MakeShared", "convoy::make_event",
     [](stream_ref) {
       return make_event(device_id{0}, {.latched = true, .interprocess = true}).error();
     }},
    {"Destroy", "convoy::destroy", [](stream_ref) { return destroy(event_ref{}); }},
    {"Query", "convoy::query", [](stream_ref) { return event_ref{}.query(); }},
    {"Synchronize", "convoy::synchronize", [](stream_ref) { return event_ref{}.synchronize(); }},
    {"Elapsed", "convoy::elapsed",
     [](stream_ref) { return elapsed(event_ref{}, event_ref{}).error(); }},
    {"NotRecorded", "convoy::time_of",
     [](stream_ref) { return time_of(must(make_event(device_id{0}))).error(); }},
    {"Reset", "convoy::reset", [](stream_ref) { return reset(must(make_event(device_id{0}))); }},
};

constexpr observed_case refused_device_calls[] = {
    {"Synchronize", "convoy::device::synchronize",
     [](stream_ref) { return device(no_device).synchronize(); }},
    {"DefaultStream", "convoy::device::default_stream",
     [](stream_ref) { return device(no_device).default_stream().error(); }},
    {"ThreadStream", "convoy::device::thread_stream",
     [](stream_ref) { return device(no_device).thread_stream().error(); }},
    {"Enable", "convoy::device::enable_access",
     [](stream_ref) { return device(device_id{0}).enable_access(device_id{0}); }},
    {"Disable", "convoy::device::disable_access",
     [](stream_ref) { return device(device_id{0}).disable_access(device_id{1}); }},
};

constexpr observed_case refused_memory_calls[] = {
    {"Allocate", "convoy::allocate", [](stream_ref) { return allocate(no_device, 1).error(); }},
    {"Pinned", "convoy::allocate_pinned", [](stream_ref) { return allocate_pinned(0).error(); }},
    {"Managed", "convoy::allocate_managed", [](stream_ref) { return allocate_managed(0).error(); }},
    {"DeviceBuffer", "convoy::make_device_buffer",
     [](stream_ref) { return make_device_buffer(no_device, 1).error(); }},
    {"PinnedBuffer", "convoy::make_pinned_buffer",
     [](stream_ref) { return make_pinned_buffer(0).error(); }},
    {"Deallocate", "convoy::deallocate", [](stream_ref) { return deallocate(nullptr); }},
    {"Pin", "convoy::pin", [](stream_ref) { return pin(nullptr, 1); }},
    {"Unpin", "convoy::unpin", [](stream_ref) { return unpin(nullptr); }},
};

constexpr observed_case refused_ipc_calls[] = {
    {"Export", "convoy::export_memory", [](stream_ref) { return export_memory(nullptr).error(); }},
    {"Permit", "convoy::permit", [](stream_ref) { return permit({}, {}); }},
    {"Withdraw", "convoy::withdraw", [](stream_ref) { return withdraw({}); }},
    {"Import", "convoy::import_memory", [](stream_ref) { return import_memory({}).error(); }},
    {"Close", "convoy::close_imported", [](stream_ref) { return close_imported(nullptr); }},
    {"ExportEvent", "convoy::export_event",
     [](stream_ref) { return export_event(event_ref{}).error(); }},
    {"ImportEvent", "convoy::import_event",
     [](stream_ref) { return import_event({}, device_id{0}).error(); }},
};

constexpr observed_case refused_failure_calls[] = {
    {"FailureCallback", "convoy::add_failure_callback",
     [](stream_ref) { return add_failure_callback({}).error(); }},
};

INSTANTIATE_TEST_SUITE_P(Steps, RefusedCall, testing::ValuesIn(refused_steps), label_of);
INSTANTIATE_TEST_SUITE_P(Streams, RefusedCall, testing::ValuesIn(refused_stream_calls), label_of);
INSTANTIATE_TEST_SUITE_P(Events, RefusedCall, testing::ValuesIn(refused_event_calls), label_of);
INSTANTIATE_TEST_SUITE_P(Devices, RefusedCall, testing::ValuesIn(refused_device_calls), label_of);
INSTANTIATE_TEST_SUITE_P(Memory, RefusedCall, testing::ValuesIn(refused_memory_calls), label_of);
INSTANTIATE_TEST_SUITE_P(Ipc, RefusedCall, testing::ValuesIn(refused_ipc_calls), label_of);
INSTANTIATE_TEST_SUITE_P(Failures, RefusedCall, testing::ValuesIn(refused_failure_calls), label_of);

event recorded_in(stream_ref stream) {
  event made = must(make_event(device_id{0}));
  must(record(stream, made));
  return made;
}

copy copy_within(const buffer& memory) { return {memory.data(), memory.data() + 4, 4}; }

constexpr observed_case synchronizing_calls[] = {
    {"CopySync", "convoy::copy_sync",
     [](stream_ref s) { return copy_sync(s, copy_within(must(make_pinned_buffer(8)))); }},
    {"Stream", "convoy::synchronize", [](stream_ref s) { return s.synchronize(); }},
    {"StreamTimed", "convoy::synchronize", [](stream_ref s) { return s.synchronize(time_limit); }},
    {"StreamTicket", "convoy::synchronize", [](stream_ref s) { return s.synchronize(ticket{}); }},
    {"StreamQuery", "convoy::query", [](stream_ref s) { return s.query(); }},
    {"Landed", "convoy::landed", [](stream_ref s) { return s.landed(ticket{}).error(); }},
    {"Event", "convoy::synchronize", [](stream_ref s) { return recorded_in(s).synchronize(); }},
    {"EventTimed", "convoy::synchronize",
     [](stream_ref s) { return recorded_in(s).synchronize(time_limit); }},
};

INSTANTIATE_TEST_SUITE_P(All, SynchronizingCall, testing::ValuesIn(synchronizing_calls), label_of);

TEST_F(ObservedCall, EventQueryNotifiesObserverOnce) {
  const event made = recorded_in(stream_);
  EXPECT_OK(stream_.synchronize());
  recorder().take();

  EXPECT_OK(made.query());

  EXPECT_THAT(recorder().take(), ElementsAre("convoy::query"));
}

TEST_F(ObservedCall, CopySyncNamesItsStep) {
  const buffer memory = must(make_pinned_buffer(8));
  recorder().take_of_steps();

  EXPECT_OK(copy_sync(stream_, copy_within(memory)));

  EXPECT_THAT(recorder().take_of_steps(), ElementsAre("convoy::copy_sync"));
}

TEST_F(ObservedCall, DeviceNotifiesObserverPerStream) {
  recorder().take();

  EXPECT_OK(device(device_id{0}).synchronize());

  EXPECT_THAT(recorder().take(), AllOf(SizeIs(Ge(2U)), Each("convoy::device::synchronize")));
}

TEST_F(ObservedCall, UnreachedQueryIsNoSynchronization) {
  const event never = must(make_event(device_id{0}, {.latched = true}));
  recorder().take();

  EXPECT_ANSWER(never.query(), errc::not_ready);

  EXPECT_THAT(recorder().take(), IsEmpty());
}

}  // namespace
}  // namespace convoy
