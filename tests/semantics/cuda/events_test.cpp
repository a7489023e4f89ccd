#include "support/cuda.hpp"

namespace convoy::test {
namespace {

template <class Api>
class CudaEvent : public cuda_test<Api> {};
TYPED_TEST_SUITE(CudaEvent, cuda_apis, api_names);

TYPED_TEST(CudaEvent, UnrecordedEventIsComplete) {
  const api_event<TypeParam> event;
  const api_stream<TypeParam> stream;

  EXPECT_EQ(TypeParam::query_event(event), TypeParam::success);
  EXPECT_EQ(TypeParam::synchronize_event(event), TypeParam::success);
  EXPECT_EQ(TypeParam::wait(stream, event, 0), TypeParam::success);
  EXPECT_EQ(TypeParam::synchronize(stream), TypeParam::success);
}

TYPED_TEST(CudaEvent, CompletesAfterEarlierWork) {
  const api_stream<TypeParam> stream;
  const api_event<TypeParam> event;
  api_gate<TypeParam> closed(stream);

  EXPECT_EQ(TypeParam::record(event, stream), TypeParam::success);

  EXPECT_EQ(TypeParam::query_event(event), TypeParam::not_ready);
  closed.open();
  EXPECT_EQ(TypeParam::synchronize_event(event), TypeParam::success);
  EXPECT_EQ(TypeParam::query_event(event), TypeParam::success);
}

TYPED_TEST(CudaEvent, HoldsWaitingStreamOfAnyDevice) {
  const api_stream<TypeParam> stream;
  const api_event<TypeParam> event;
  api_gate<TypeParam> closed(stream);
  EXPECT_EQ(TypeParam::record(event, stream), TypeParam::success);

  TypeParam::on_device(1, [&] {
    const api_stream<TypeParam> there;
    EXPECT_EQ(TypeParam::wait(there, event, 0), TypeParam::success);
    EXPECT_EQ(TypeParam::query(there), TypeParam::not_ready);
    closed.open();
    EXPECT_EQ(TypeParam::synchronize(there), TypeParam::success);
  });
}

TYPED_TEST(CudaEvent, HoldsWorkOfWaitingStream) {
  const api_stream<TypeParam> stream;
  const api_stream<TypeParam> later;
  const api_event<TypeParam> event;
  const api_memory<TypeParam> target(memory_kind::device, bytes(64));
  api_gate<TypeParam> closed(stream);
  must(TypeParam::record(event, stream));

  EXPECT_EQ(TypeParam::wait(later, event, 0), TypeParam::success);
  EXPECT_EQ(TypeParam::fill_async(target.data(), 1, 64, later), TypeParam::success);

  EXPECT_EQ(target.contents(), bytes(64));
  closed.open();
  EXPECT_EQ(TypeParam::synchronize(later), TypeParam::success);
  EXPECT_EQ(target.contents(), bytes(64, 1));
}

TYPED_TEST(CudaEvent, LaterRecordingKeepsEarlierWaits) {
  const api_stream<TypeParam> first;
  const api_stream<TypeParam> second;
  const api_stream<TypeParam> waiting;
  const api_event<TypeParam> event;
  EXPECT_EQ(TypeParam::record(event, first), TypeParam::success);
  EXPECT_EQ(TypeParam::wait(waiting, event, 0), TypeParam::success);
  const api_gate<TypeParam> closed(second);

  EXPECT_EQ(TypeParam::record(event, second), TypeParam::success);

  EXPECT_EQ(TypeParam::synchronize(waiting), TypeParam::success);
  EXPECT_EQ(TypeParam::query_event(event), TypeParam::not_ready);
}

TYPED_TEST(CudaEvent, MayBeDestroyedBeforeCompletion) {
  const api_stream<TypeParam> stream;
  const api_stream<TypeParam> waiting;
  cudaEvent_t event = nullptr;
  must(TypeParam::create_event(&event, 0));
  api_gate<TypeParam> closed(stream);
  must(TypeParam::record(event, stream));
  must(TypeParam::wait(waiting, event, 0));

  EXPECT_EQ(TypeParam::destroy_event(event), TypeParam::success);

  EXPECT_EQ(TypeParam::query(waiting), TypeParam::not_ready);
  closed.open();
  EXPECT_EQ(TypeParam::synchronize(waiting), TypeParam::success);
}

TYPED_TEST(CudaEvent, CreationFlagsAreChecked) {
  cudaEvent_t event = nullptr;

  EXPECT_EQ(TypeParam::create_event(&event, 8), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::create_event(&event, cudaEventInterprocess), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::create_event(&event, cudaEventInterprocess | cudaEventDisableTiming),
            TypeParam::success);
  EXPECT_EQ(TypeParam::destroy_event(event), TypeParam::success);
}

TYPED_TEST(CudaEvent, RecordAndWaitFlagsAreChecked) {
  const api_event<TypeParam> event;

  EXPECT_EQ(TypeParam::record_with_flags(event, nullptr, 2), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::record_with_flags(event, nullptr, cudaEventRecordDefault),
            TypeParam::success);
  EXPECT_EQ(TypeParam::wait(nullptr, event, 2), TypeParam::invalid_value);
}

TYPED_TEST(CudaEvent, RecordOnOtherDeviceIsRefused) {
  const api_event<TypeParam> event;

  TypeParam::on_device(1, [&] {
    const api_stream<TypeParam> there;
    EXPECT_EQ(TypeParam::record(event, there), TypeParam::invalid_handle);
    EXPECT_EQ(TypeParam::wait(there, event, 0), TypeParam::success);
  });
}

TYPED_TEST(CudaEvent, DestroyedAndUnknownEventsDiffer) {
  const api_stream<TypeParam> stream;
  cudaEvent_t destroyed = nullptr;
  must(TypeParam::create_event(&destroyed, 0));
  must(TypeParam::destroy_event(destroyed));

  EXPECT_EQ(TypeParam::record(destroyed, stream), TypeParam::destroyed);
  EXPECT_EQ(TypeParam::query_event(destroyed), TypeParam::destroyed);
  EXPECT_EQ(TypeParam::destroy_event(destroyed), TypeParam::destroyed);
  EXPECT_EQ(TypeParam::query_event(nullptr), TypeParam::invalid_handle);
  EXPECT_EQ(TypeParam::destroy_event(reinterpret_cast<cudaEvent_t>(0x1230)),
            TypeParam::invalid_handle);
}

template <class Api>
class CudaElapsedTime : public cuda_test<Api> {};
TYPED_TEST_SUITE(CudaElapsedTime, cuda_apis, api_names);

TYPED_TEST(CudaElapsedTime, IsBetweenTwoEvents) {
  const api_stream<TypeParam> stream;
  const api_event<TypeParam> start;
  const api_event<TypeParam> end;
  float milliseconds = -1;
  must(TypeParam::record(start, stream));
  must(TypeParam::record(end, stream));
  must(TypeParam::synchronize(stream));

  EXPECT_EQ(TypeParam::elapsed_time(&milliseconds, start, end), TypeParam::success);

  EXPECT_GE(milliseconds, 0);
  EXPECT_LT(milliseconds, 10000);
}

TYPED_TEST(CudaElapsedTime, NeedsRecordedEventsWithTiming) {
  const api_event<TypeParam> recorded;
  const api_event<TypeParam> unrecorded;
  const api_event<TypeParam> untimed(cudaEventDisableTiming);
  float milliseconds = 0;
  must(TypeParam::record(recorded, nullptr));
  must(TypeParam::record(untimed, nullptr));
  must(TypeParam::synchronize_device());

  EXPECT_EQ(TypeParam::elapsed_time(&milliseconds, recorded, unrecorded),
            TypeParam::invalid_handle);
  EXPECT_EQ(TypeParam::elapsed_time(&milliseconds, untimed, recorded), TypeParam::invalid_handle);
}

TYPED_TEST(CudaElapsedTime, InvalidEventComesBeforePendingOne) {
  const api_stream<TypeParam> stream;
  const api_event<TypeParam> pending;
  const api_event<TypeParam> unrecorded;
  const api_event<TypeParam> untimed(cudaEventDisableTiming);
  float milliseconds = 0;
  const api_gate<TypeParam> closed(stream);
  must(TypeParam::record(pending, stream));
  must(TypeParam::record(untimed, stream));

  for (const cudaEvent_t invalid : {cudaEvent_t{unrecorded}, cudaEvent_t{untimed}}) {
    EXPECT_EQ(TypeParam::elapsed_time(&milliseconds, pending, invalid), TypeParam::invalid_handle);
    EXPECT_EQ(TypeParam::elapsed_time(&milliseconds, invalid, pending), TypeParam::invalid_handle);
  }
}

TYPED_TEST(CudaElapsedTime, IsNotReadyBeforeBothComplete) {
  const api_stream<TypeParam> stream;
  const api_event<TypeParam> start;
  const api_event<TypeParam> end;
  float milliseconds = 0;
  must(TypeParam::record(start, stream));
  const api_gate<TypeParam> closed(stream);
  must(TypeParam::record(end, stream));

  EXPECT_EQ(TypeParam::elapsed_time(&milliseconds, start, end), TypeParam::not_ready);
}

}  // namespace
}  // namespace convoy::test
