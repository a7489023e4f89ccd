#include "calls/callbacks.hpp"

#include <pthread.h>
#include <unistd.h>

#include <convoy/failures.hpp>
#include <mutex>
#include <utility>

#include "shared/process_lifetime.hpp"
#include "state/callback_queues.hpp"
#include "state/thread.hpp"
#include "state/visible_devices.hpp"

namespace convoy::ascendcl {
namespace {

// The queues of a family of callbacks, and the member that holds the subscriber of a stream.
struct callback_route {
  callback_queues& queues;
  callback_family family;
  std::uint64_t stream_record::*thread;
};

callback_route route_of(callback_family family) {
  if (family == callback_family::reports)
    return {report_queues(), family, &stream_record::report_thread};
  return {host_function_queues(), family, &stream_record::host_function_thread};
}

// A stream may have a thread for each family. A host function that no thread is subscribed for
// does not mix with reports.
call_status check_subscription(const stream_record& stream, const callback_route& route) {
  if (stream.*route.thread != 0) {
    return failed(ACL_ERROR_RT_STREAM_SUBSCRIBE, "another thread is subscribed to the stream");
  }
  if (route.family == callback_family::reports && stream.ran_unsubscribed) {
    return failed(ACL_ERROR_RT_STREAM_SUBSCRIBE,
                  "the stream runs host functions without aclrtSubscribeHostFunc, which reports "
                  "do not mix with");
  }
  return {};
}

struct callback {
  callback_function function = nullptr;
  void* argument = nullptr;
  bool blocks = true;
};

// Pushes the callback into the queue in stream order.
call_status enqueue_in_order(aclrtStream handle, stream_ref stream,
                             std::shared_ptr<callback_queue> queue, const callback& entry) {
  const auto submitted = call(stream, [queue = std::move(queue), entry] {
    const auto done = queue->push(entry.function, entry.argument);
    if (entry.blocks) done.wait();
  });
  return submitted ? call_status{} : stream_error(handle, submitted.error());
}

void report_exception(aclrtExceptionInfoCallback callback, const failed_step& failure) {
  const auto stream = streams().find(failure.stream.handle());
  if (stream == nullptr) return;
  aclrtExceptionInfo info{static_cast<std::uint32_t>(number(failure.position)),
                          static_cast<std::uint32_t>(stream->id),
                          static_cast<std::uint32_t>(::gettid()),
                          static_cast<std::uint32_t>(program_devices().number_of(failure.device)),
                          static_cast<std::uint32_t>(error_code_of_step(failure.error))};
  callback(&info);
}

// The registered exception callback, if any.
class exception_callback {
 public:
  // Waits until the previous callback has returned in all other threads. A callback may call this
  // itself, so the mutex is not held meanwhile.
  call_status change(aclrtExceptionInfoCallback next) {
    exchange({});
    if (next == nullptr) return {};
    auto made = add_failure_callback(
        [next](const failed_step& failure) { report_exception(next, failure); });
    if (!made) return call_status_of(made.error());
    exchange(std::move(*made));
    return {};
  }

 private:
  // The previous registration ends in the destructor of `next`, after the mutex is released.
  void exchange(failure_callback next) {
    const std::lock_guard held(mutex_);
    std::swap(registration_, next);
  }

  std::mutex mutex_;
  failure_callback registration_;
};

}  // namespace

call_status subscribe(callback_family family, std::uint64_t thread, aclrtStream handle) {
  const callback_route route = route_of(family);
  const auto stream = find_stream_in_context(handle);
  if (!stream) return stream.error;
  const std::lock_guard held((*stream)->mutex);
  if (auto checked = check_subscription(**stream, route); !checked.ok()) return checked;
  if (thread == 0) return failed(ACL_ERROR_RT_PARAM_INVALID, "threadId is 0");
  if (!route.queues.subscribe(thread)) {
    return failed(ACL_ERROR_RT_OVER_LIMIT, "1024 threads are subscribed already");
  }
  (**stream).*route.thread = thread;
  return {};
}

call_status unsubscribe(callback_family family, std::uint64_t thread, aclrtStream handle) {
  const callback_route route = route_of(family);
  const auto stream = find_stream_in_context(handle);
  if (!stream) return stream.error;
  {
    const std::lock_guard held((*stream)->mutex);
    const std::uint64_t current = (**stream).*route.thread;
    if (current == 0)
      return failed(ACL_ERROR_RT_STREAM_NO_CB_REG, "no thread is subscribed to the stream");
    if (current != thread) {
      return failed(ACL_ERROR_RT_THREAD_SUBSCRIBE, "another thread is subscribed to the stream");
    }
    (**stream).*route.thread = 0;
    if (family == callback_family::host_functions) (*stream)->ran_unsubscribed = false;
  }
  route.queues.unsubscribe(thread);
  return {};
}

call_status process_callback(callback_family family, std::int32_t milliseconds) {
  if (milliseconds == 0 || milliseconds < -1)
    return invalid_param("timeout is neither -1 nor positive");
  const auto queue = route_of(family).queues.queue_of(::pthread_self());
  if (queue == nullptr) {
    return failed(ACL_ERROR_RT_THREAD_SUBSCRIBE, "the thread is not subscribed to any stream");
  }
  auto next = queue->pop(std::chrono::milliseconds(milliseconds));
  if (!next)
    return failed(ACL_ERROR_RT_REPORT_TIMEOUT, "no callback was queued within the timeout");
  next->function(next->argument);
  next->done.set_value();
  return {};
}

call_status launch_callback(aclrtStream handle, aclrtCallback function, void* argument,
                            aclrtCallbackBlockType block) {
  if (block != ACL_CALLBACK_NO_BLOCK && block != ACL_CALLBACK_BLOCK) {
    return invalid_param("blockType is neither ACL_CALLBACK_NO_BLOCK nor ACL_CALLBACK_BLOCK");
  }
  if (function == nullptr) return failed(ACL_ERROR_RT_PARAM_INVALID, "fn is NULL");
  const auto stream = find_stream_in_context(handle);
  if (!stream) return stream.error;
  std::shared_ptr<callback_queue> queue;
  {
    const std::lock_guard held((*stream)->mutex);
    queue = report_queues().queue_of((*stream)->report_thread);
  }
  if (queue == nullptr) {
    return failed(ACL_ERROR_RT_STREAM_NO_CB_REG, "no thread is subscribed to the stream");
  }
  return enqueue_in_order(handle, (*stream)->ref, std::move(queue),
                          {function, argument, block == ACL_CALLBACK_BLOCK});
}

call_status launch_host_function(aclrtStream handle, aclrtHostFunc function, void* argument) {
  if (function == nullptr) return failed(ACL_ERROR_RT_PARAM_INVALID, "fn is NULL");
  const auto stream = find_stream_in_context(handle);
  if (!stream) return stream.error;
  std::shared_ptr<callback_queue> queue;
  {
    const std::lock_guard held((*stream)->mutex);
    queue = host_function_queues().queue_of((*stream)->host_function_thread);
    if (queue == nullptr && (*stream)->report_thread != 0) {
      return failed(ACL_ERROR_RT_STREAM_SUBSCRIBE,
                    "a thread is subscribed for reports of the stream, and none for its host "
                    "functions (aclrtSubscribeHostFunc)");
    }
    if (queue == nullptr) (*stream)->ran_unsubscribed = true;
  }
  if (queue != nullptr) {
    return enqueue_in_order(handle, (*stream)->ref, std::move(queue), {function, argument});
  }
  const auto submitted = call((*stream)->ref, [function, argument] { function(argument); });
  return submitted ? call_status{} : stream_error(handle, submitted.error());
}

call_status set_exception_callback(aclrtExceptionInfoCallback next) {
  return compat::process_object<exception_callback>().change(next);
}

call_status get_last_task(std::uint32_t* into) {
  if (into == nullptr) return invalid_param("taskId is NULL");
  *into = this_thread().last_task;
  return {};
}

}  // namespace convoy::ascendcl
