#include <dlfcn.h>

#include <set>
#include <stdexcept>
#include <thread>

#include "support/cuda.hpp"
#include "support/unmapped_page.hpp"

namespace convoy::test {
namespace {

template <class Api>
class CudaStream : public cuda_test<Api> {};
TYPED_TEST_SUITE(CudaStream, cuda_apis, api_names);

TYPED_TEST(CudaStream, PriorityRangeStartsAtZero) {
  int least = 1;
  int greatest = 1;

  EXPECT_EQ(TypeParam::priority_range(&least, &greatest), TypeParam::success);
  EXPECT_EQ(TypeParam::priority_range(nullptr, nullptr), TypeParam::success);

  EXPECT_EQ(least, 0);
  EXPECT_EQ(greatest, -5);
}

TYPED_TEST(CudaStream, PriorityIsClamped) {
  cudaStream_t stream = nullptr;
  int priority = 0;

  EXPECT_EQ(TypeParam::create_stream_with_priority(&stream, cudaStreamNonBlocking, -99),
            TypeParam::success);

  EXPECT_EQ(TypeParam::stream_priority(stream, &priority), TypeParam::success);
  EXPECT_EQ(priority, -5);
  EXPECT_EQ(TypeParam::destroy_stream(stream), TypeParam::success);
}

TYPED_TEST(CudaStream, HasFlagsPriorityAndDevice) {
  const api_stream<TypeParam> blocking;
  cudaStream_t there = nullptr;
  unsigned flags = 77;
  int priority = 77;
  int device = 77;
  EXPECT_EQ(TypeParam::stream_flags(blocking, &flags), TypeParam::success);
  EXPECT_EQ(flags, unsigned{cudaStreamDefault});

  TypeParam::on_device(
      1, [&] { must(TypeParam::create_stream_with_priority(&there, cudaStreamNonBlocking, -2)); });

  EXPECT_EQ(TypeParam::stream_flags(there, &flags), TypeParam::success);
  EXPECT_EQ(TypeParam::stream_priority(there, &priority), TypeParam::success);
  EXPECT_EQ(TypeParam::stream_device(there, &device), TypeParam::success);
  EXPECT_EQ(flags, unsigned{cudaStreamNonBlocking});
  EXPECT_EQ(priority, -2);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(TypeParam::destroy_stream(there), TypeParam::success);
}

TYPED_TEST(CudaStream, UnknownFlagsAreRefused) {
  cudaStream_t stream = nullptr;

  EXPECT_EQ(TypeParam::create_stream(&stream, 2), TypeParam::invalid_value);
  EXPECT_EQ(TypeParam::create_stream(nullptr, 0), TypeParam::invalid_value);
}

TYPED_TEST(CudaStream, IdIsUnique) {
  const api_stream<TypeParam> one;
  const api_stream<TypeParam> other;
  std::set<unsigned long long> ids;

  for (const cudaStream_t each :
       {cudaStream_t{one}, cudaStream_t{other}, cudaStreamLegacy, cudaStreamPerThread}) {
    unsigned long long id = 0;
    EXPECT_EQ(TypeParam::stream_id(each, &id), TypeParam::success);
    ids.insert(id);
  }

  EXPECT_EQ(ids.size(), 4U);
}

TYPED_TEST(CudaStream, QueryIsNotReadyWhilePending) {
  const api_stream<TypeParam> stream;
  api_gate<TypeParam> closed(stream);

  EXPECT_EQ(TypeParam::query(stream), TypeParam::not_ready);

  closed.open();
  EXPECT_EQ(TypeParam::synchronize(stream), TypeParam::success);
  EXPECT_EQ(TypeParam::query(stream), TypeParam::success);
}

TYPED_TEST(CudaStream, DestroyedStreamFinishesItsWork) {
  const api_memory<TypeParam> source(memory_kind::pinned, numbered(64));
  const api_memory<TypeParam> target(memory_kind::device, bytes(64));
  cudaStream_t stream = nullptr;
  must(TypeParam::create_stream(&stream, 0));
  api_gate<TypeParam> closed(stream);
  must(TypeParam::copy_async(target.data(), source.data(), 64, stream));

  EXPECT_EQ(TypeParam::destroy_stream(stream), TypeParam::success);
  closed.open();

  EXPECT_EQ(TypeParam::synchronize_device(), TypeParam::success);
  EXPECT_EQ(target.contents(), numbered(64));
}

TYPED_TEST(CudaStream, DestroyedAndUnknownStreamsDiffer) {
  cudaStream_t destroyed = nullptr;
  must(TypeParam::create_stream(&destroyed, 0));
  must(TypeParam::destroy_stream(destroyed));
  const auto unknown = reinterpret_cast<cudaStream_t>(0xDEAD0000);

  EXPECT_EQ(TypeParam::query(destroyed), TypeParam::destroyed);
  EXPECT_EQ(TypeParam::synchronize(destroyed), TypeParam::destroyed);
  EXPECT_EQ(TypeParam::destroy_stream(destroyed), TypeParam::destroyed);
  EXPECT_EQ(TypeParam::query(unknown), TypeParam::invalid_handle);
  EXPECT_EQ(TypeParam::destroy_stream(unknown), TypeParam::invalid_handle);
}

TYPED_TEST(CudaStream, DefaultStreamCannotBeDestroyed) {
  EXPECT_EQ(TypeParam::destroy_stream(nullptr), TypeParam::invalid_handle);
  EXPECT_EQ(TypeParam::destroy_stream(cudaStreamLegacy), TypeParam::invalid_handle);
  EXPECT_EQ(TypeParam::destroy_stream(cudaStreamPerThread), TypeParam::invalid_handle);
}

TYPED_TEST(CudaStream, AttributesAreStoredAndCopied) {
  const api_stream<TypeParam> stream;
  const api_stream<TypeParam> other;
  typename TypeParam::attribute_value value = {};
  typename TypeParam::attribute_value found = {};
  value.syncPolicy = TypeParam::yield;

  EXPECT_EQ(TypeParam::set_attribute(stream, TypeParam::sync_policy, &value), TypeParam::success);
  EXPECT_EQ(TypeParam::copy_attributes(other, stream), TypeParam::success);

  EXPECT_EQ(TypeParam::get_attribute(other, TypeParam::sync_policy, &found), TypeParam::success);
  EXPECT_EQ(found.syncPolicy, TypeParam::yield);
}

TYPED_TEST(CudaStream, IsNotCapturing) {
  const api_stream<TypeParam> stream;
  auto status = TypeParam::capture_active;

  EXPECT_EQ(TypeParam::is_capturing(stream, &status), TypeParam::success);

  EXPECT_EQ(status, TypeParam::capture_none);
}

TYPED_TEST(CudaStream, CaptureModeExchangeReturnsPrevious) {
  auto mode = TypeParam::relaxed;

  EXPECT_EQ(TypeParam::exchange_capture_mode(&mode), TypeParam::success);
  EXPECT_EQ(mode, TypeParam::global);
  EXPECT_EQ(TypeParam::exchange_capture_mode(&mode), TypeParam::success);

  EXPECT_EQ(mode, TypeParam::relaxed);
}

TEST(CudaCaptureInfo, HasStatusNone) {
  const cuda_stream stream;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;

  EXPECT_EQ(cudaStreamGetCaptureInfo(stream, &status, nullptr), cudaSuccess);

  EXPECT_EQ(status, cudaStreamCaptureStatusNone);
}

template <class Api>
class CudaHostFunction : public cuda_test<Api> {};
TYPED_TEST_SUITE(CudaHostFunction, cuda_apis, api_names);

TYPED_TEST(CudaHostFunction, RunsInStreamOrder) {
  struct notes {
    int before = 0;
    int seen = 0;
    std::thread::id thread;
  } found;
  const api_stream<TypeParam> stream;

  EXPECT_EQ(TypeParam::launch_host_function(
                stream, [](void* n) { static_cast<notes*>(n)->before = 1; }, &found),
            TypeParam::success);
  EXPECT_EQ(TypeParam::launch_host_function(
                stream,
                [](void* n) {
                  auto& into = *static_cast<notes*>(n);
                  into.seen = into.before;
                  into.thread = std::this_thread::get_id();
                },
                &found),
            TypeParam::success);

  EXPECT_EQ(TypeParam::synchronize(stream), TypeParam::success);
  EXPECT_EQ(found.seen, 1);
  EXPECT_NE(found.thread, std::this_thread::get_id());
}

// Looked up by name: the headers of CUDA 13.0 do not declare it.
TEST(CudaHostFunctionModes, BothRunAndOthersAreRefused) {
  using launch = cudaError_t(cudaStream_t, cudaHostFn_t, void*, unsigned);
  auto* const with_mode = reinterpret_cast<launch*>(dlsym(RTLD_DEFAULT, "cudaLaunchHostFunc_v2"));
  const cudaHostFn_t count_up = [](void* n) { ++*static_cast<int*>(n); };
  const cuda_stream stream;
  int ran = 0;

  EXPECT_EQ(with_mode(stream, count_up, &ran, 0), cudaSuccess);
  EXPECT_EQ(with_mode(stream, count_up, &ran, 1), cudaSuccess);
  EXPECT_EQ(with_mode(stream, count_up, &ran, 2), cudaErrorInvalidValue);

  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(ran, 2);
}

TYPED_TEST(CudaHostFunction, LaterWorkWaitsForIt) {
  const api_stream<TypeParam> stream;
  const api_memory<TypeParam> target(memory_kind::device, bytes(64));
  api_gate<TypeParam> closed(stream);

  EXPECT_EQ(TypeParam::fill_async(target.data(), 3, 64, stream), TypeParam::success);

  EXPECT_EQ(target.contents(), bytes(64));
  closed.open();
  EXPECT_EQ(TypeParam::synchronize(stream), TypeParam::success);
  EXPECT_EQ(target.contents(), bytes(64, 3));
}

TYPED_TEST(CudaHostFunction, NullIsRefused) {
  EXPECT_EQ(TypeParam::launch_host_function(nullptr, nullptr, nullptr), TypeParam::invalid_value);
}

TYPED_TEST(CudaHostFunction, ExceptionIsAssert) {
  const api_stream<TypeParam> stream;

  EXPECT_EQ(TypeParam::launch_host_function(
                stream, [](void*) { throw std::out_of_range("index"); }, nullptr),
            TypeParam::success);

  EXPECT_EQ(static_cast<int>(TypeParam::synchronize(stream)), static_cast<int>(cudaErrorAssert));
  EXPECT_EQ(static_cast<int>(TypeParam::query(stream)), static_cast<int>(cudaErrorAssert));
}

// Calls of a host function, and their answers.
template <class Api>
struct calls_from_inside {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  unsigned char* device = nullptr;
  unsigned char* pinned = nullptr;
  std::vector<typename Api::result> answers = {};
  decltype(Api::current_context()) context = Api::current_context();

  static void wait(void* argument) {
    auto& calls = *static_cast<calls_from_inside*>(argument);
    Api::make_current(calls.context);
    calls.answers = {Api::synchronize(calls.stream),
                     Api::synchronize_event(calls.event),
                     Api::synchronize_device(),
                     Api::free(calls.device),
                     Api::copy_to_device(calls.device, calls.pinned, 64),
                     Api::fill(calls.pinned, 0, 64),
                     Api::end_contents()};
  }
  static void submit(void* argument) {
    auto& calls = *static_cast<calls_from_inside*>(argument);
    calls.answers = {Api::query(calls.stream), Api::query_event(calls.event),
                     Api::copy_async(calls.device, calls.pinned, 64, calls.stream)};
  }
};

template <class Api>
class CudaCallsInHostFunctions : public cuda_test<Api> {
 protected:
  const api_stream<Api> stream;
  const api_event<Api> event;
  const api_memory<Api> device{memory_kind::device, bytes(64)};
  const api_memory<Api> pinned{memory_kind::pinned, numbered(64)};
  calls_from_inside<Api> inside{stream, event, device.data(), pinned.data()};
};
TYPED_TEST_SUITE(CudaCallsInHostFunctions, cuda_apis, api_names);

TYPED_TEST(CudaCallsInHostFunctions, WaitingCallsAreRefused) {
  EXPECT_EQ(TypeParam::launch_host_function(this->stream, this->inside.wait, &this->inside),
            TypeParam::success);
  EXPECT_EQ(TypeParam::synchronize(this->stream), TypeParam::success);

  EXPECT_EQ(this->inside.answers, std::vector(7, TypeParam::not_permitted));
  EXPECT_EQ(this->pinned.contents(), numbered(64));
  EXPECT_EQ(this->device.contents(), bytes(64));
}

TYPED_TEST(CudaCallsInHostFunctions, CallbacksRefuseWaitingCalls) {
  EXPECT_EQ(TypeParam::add_callback(
                this->stream,
                [](cudaStream_t, typename TypeParam::result, void* argument) {
                  calls_from_inside<TypeParam>::wait(argument);
                },
                &this->inside, 0),
            TypeParam::success);
  EXPECT_EQ(TypeParam::synchronize(this->stream), TypeParam::success);

  EXPECT_EQ(this->inside.answers, std::vector(7, TypeParam::not_permitted));
}

TYPED_TEST(CudaCallsInHostFunctions, OtherCallsSucceed) {
  EXPECT_EQ(TypeParam::launch_host_function(this->stream, this->inside.submit, &this->inside),
            TypeParam::success);
  EXPECT_EQ(TypeParam::synchronize(this->stream), TypeParam::success);
  EXPECT_EQ(TypeParam::synchronize(this->stream), TypeParam::success);

  EXPECT_EQ(this->inside.answers,
            (std::vector{TypeParam::not_ready, TypeParam::success, TypeParam::success}));
  EXPECT_EQ(this->device.contents(), numbered(64));
}

// The arguments of a callback.
template <class Api>
struct callback_arguments {
  cudaStream_t stream = nullptr;
  typename Api::result status = {};

  static void store(cudaStream_t stream, typename Api::result status, void* into) {
    *static_cast<callback_arguments*>(into) = {stream, status};
  }
};

template <class Api>
class CudaCallback : public cuda_test<Api> {};
TYPED_TEST_SUITE(CudaCallback, cuda_apis, api_names);

TYPED_TEST(CudaCallback, ReceivesStreamAndStatus) {
  const api_stream<TypeParam> stream;
  callback_arguments<TypeParam> found{nullptr, TypeParam::invalid_value};

  EXPECT_EQ(TypeParam::add_callback(stream, found.store, &found, 0), TypeParam::success);

  EXPECT_EQ(TypeParam::synchronize(stream), TypeParam::success);
  EXPECT_EQ(found.stream, cudaStream_t{stream});
  EXPECT_EQ(found.status, TypeParam::success);
}

TYPED_TEST(CudaCallback, ReceivesFailureOfEarlierCopy) {
  const api_stream<TypeParam> stream;
  const unmapped_page unmapped;
  const api_memory<TypeParam> target(memory_kind::device, bytes(64));
  callback_arguments<TypeParam> found;
  api_batch<TypeParam> work;
  work.add(target.data(), unmapped.data(), 64);
  must(work.submit(stream));

  EXPECT_EQ(TypeParam::add_callback(stream, found.store, &found, 0), TypeParam::success);

  EXPECT_EQ(TypeParam::synchronize(stream), TypeParam::illegal_address);
  EXPECT_EQ(found.status, TypeParam::illegal_address);
}

TYPED_TEST(CudaCallback, FlagsAreRefused) {
  EXPECT_EQ(TypeParam::add_callback(nullptr, callback_arguments<TypeParam>::store, nullptr, 1),
            TypeParam::invalid_value);
}

}  // namespace
}  // namespace convoy::test
