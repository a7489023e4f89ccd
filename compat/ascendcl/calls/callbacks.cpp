#include "calls/callbacks.hpp"

#include <pthread.h>
#include <unistd.h>

#include <convoy/failures.hpp>
#include <mutex>
#include <utility>

#include "state/report_desk.hpp"
#include "state/thread.hpp"

namespace convoy::ascendcl {
namespace {

// One of the two ways in which a stream can have its callbacks run by a thread of the program.
struct subscription {
  report_desk& desk;
  callback_family family;
  std::uint64_t stream_record::*thread;
};

subscription subscription_to(callback_family family) {
  if (family == callback_family::reports) return {reports(), family, &stream_record::report_thread};
  return {host_functions(), family, &stream_record::function_thread};
}

outcome mixed() {
  return failed(ACL_ERROR_RT_STREAM_SUBSCRIBE,
                "the stream is subscribed already, or uses the other family of callbacks");
}

struct callback {
  plain_function function = nullptr;
  void* argument = nullptr;
  bool blocks = true;
};

// Leaves the callback at the counter when the stream comes to it.
outcome leave_in_order(aclrtStream handle, stream_ref stream,
                       std::shared_ptr<report_counter> counter, const callback& what) {
  const auto submitted = call(stream, [counter = std::move(counter), what] {
    const auto done = counter->leave(what.function, what.argument);
    if (what.blocks) done.wait();
  });
  return submitted ? outcome{} : refusal(handle, submitted.error());
}

void tell(aclrtExceptionInfoCallback callback, const failed_step& what) {
  const auto where = streams().find(what.stream.handle());
  if (where == nullptr) return;
  aclrtExceptionInfo told{
      static_cast<std::uint32_t>(number(what.position)), static_cast<std::uint32_t>(where->id),
      static_cast<std::uint32_t>(::gettid()), static_cast<std::uint32_t>(number(what.device)),
      static_cast<std::uint32_t>(code_of_step(what.error))};
  callback(&told);
}

// The callback there is, or none.
class exception_callback {
 public:
  static exception_callback& only() {
    static auto* const made = new exception_callback;
    return *made;
  }

  // The one before has returned everywhere when the next takes its place. A callback may do this
  // itself, so nothing is locked meanwhile.
  outcome change(aclrtExceptionInfoCallback next) {
    exchange({});
    if (next == nullptr) return {};
    auto made = add_failure_callback([next](const failed_step& what) { tell(next, what); });
    if (!made) return outcome_of(made.error());
    exchange(std::move(*made));
    return {};
  }

 private:
  // Ends the watch before without the lock.
  void exchange(failure_callback next) {
    const std::lock_guard held(mutex_);
    std::swap(watch_, next);
  }

  std::mutex mutex_;
  failure_callback watch_;
};

}  // namespace

outcome subscribe(callback_family family, std::uint64_t thread, aclrtStream handle) {
  const subscription what = subscription_to(family);
  const auto to = find_own_stream(handle);
  if (!to) return to.why;
  const std::lock_guard held((*to)->mutex);
  const callback_family now = (*to)->family;
  if ((**to).*what.thread != 0 || (now != callback_family::none && now != what.family)) {
    return mixed();
  }
  if (thread == 0) return failed(ACL_ERROR_RT_PARAM_INVALID, "threadId is 0, which is no thread");
  if (!what.desk.subscribe(thread)) {
    return failed(ACL_ERROR_RT_OVER_LIMIT, "1024 threads are subscribed already");
  }
  (**to).*what.thread = thread;
  (*to)->family = what.family;
  return {};
}

outcome unsubscribe(callback_family family, std::uint64_t thread, aclrtStream handle) {
  const subscription what = subscription_to(family);
  const auto from = find_own_stream(handle);
  if (!from) return from.why;
  {
    const std::lock_guard held((*from)->mutex);
    const std::uint64_t now = (**from).*what.thread;
    if (now == 0)
      return failed(ACL_ERROR_RT_STREAM_NO_CB_REG, "nobody is subscribed to the stream");
    if (now != thread) {
      return failed(ACL_ERROR_RT_THREAD_SUBSCRIBE, "another thread is subscribed to the stream");
    }
    (**from).*what.thread = 0;
    (*from)->family = callback_family::none;
  }
  what.desk.unsubscribe(thread);
  return {};
}

outcome process_callback(callback_family family, std::int32_t milliseconds) {
  if (milliseconds == 0 || milliseconds < -1) return refused("timeout is neither -1 nor positive");
  const auto counter = subscription_to(family).desk.counter_of(::pthread_self());
  if (counter == nullptr) {
    return failed(ACL_ERROR_RT_THREAD_SUBSCRIBE, "the thread is subscribed to no stream");
  }
  auto next = counter->take(std::chrono::milliseconds(milliseconds));
  if (!next) return failed(ACL_ERROR_RT_REPORT_TIMEOUT, "no callback came within the time");
  next->function(next->argument);
  next->done.set_value();
  return {};
}

outcome launch_callback(aclrtStream handle, aclrtCallback function, void* argument,
                        aclrtCallbackBlockType block) {
  if (block != ACL_CALLBACK_NO_BLOCK && block != ACL_CALLBACK_BLOCK) {
    return refused("blockType is neither of the two");
  }
  if (function == nullptr) return failed(ACL_ERROR_RT_PARAM_INVALID, "fn is NULL");
  const auto to = find_own_stream(handle);
  if (!to) return to.why;
  std::shared_ptr<report_counter> counter;
  {
    const std::lock_guard held((*to)->mutex);
    counter = reports().counter_of((*to)->report_thread);
  }
  if (counter == nullptr) {
    return failed(ACL_ERROR_RT_STREAM_NO_CB_REG, "no thread is subscribed to the stream");
  }
  return leave_in_order(handle, (*to)->ref, std::move(counter),
                        {function, argument, block == ACL_CALLBACK_BLOCK});
}

outcome launch_host_function(aclrtStream handle, aclrtHostFunc function, void* argument) {
  if (function == nullptr) return failed(ACL_ERROR_RT_PARAM_INVALID, "fn is NULL");
  const auto to = find_own_stream(handle);
  if (!to) return to.why;
  std::shared_ptr<report_counter> counter;
  {
    const std::lock_guard held((*to)->mutex);
    if ((*to)->family == callback_family::reports) return mixed();
    (*to)->family = callback_family::host_functions;
    counter = host_functions().counter_of((*to)->function_thread);
  }
  if (counter != nullptr) {
    return leave_in_order(handle, (*to)->ref, std::move(counter), {function, argument});
  }
  const auto submitted = call((*to)->ref, [function, argument] { function(argument); });
  return submitted ? outcome{} : refusal(handle, submitted.error());
}

outcome set_exception_callback(aclrtExceptionInfoCallback next) {
  return exception_callback::only().change(next);
}

outcome get_last_task(std::uint32_t* into) {
  if (into == nullptr) return refused("taskId is NULL");
  *into = this_thread().last_task;
  return {};
}

}  // namespace convoy::ascendcl
