// Functions of the program that run in stream order, or when streams and devices change.
#include <pthread.h>

#include "border.hpp"
#include "state/report_desk.hpp"
#include "state/state_callbacks.hpp"
#include "state/streams.hpp"

namespace convoy::ascendcl {
namespace {

// One of the two ways in which a stream can have its callbacks run by a thread of the program.
struct subscription {
  report_desk& desk;
  callback_family family;
  std::uint64_t stream_record::*thread;
};
subscription to_reports() {
  return {reports(), callback_family::reports, &stream_record::report_thread};
}
subscription to_functions() {
  return {host_functions(), callback_family::host_functions, &stream_record::function_thread};
}

outcome mixed() {
  return failed(ACL_ERROR_RT_STREAM_SUBSCRIBE,
                "the stream is subscribed already, or uses the other family of callbacks");
}

outcome subscribe(const subscription& what, std::uint64_t thread, aclrtStream handle) {
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

outcome unsubscribe(const subscription& what, std::uint64_t thread, aclrtStream handle) {
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

// Runs one callback that a stream has left for this thread.
outcome process(report_desk& desk, std::int32_t milliseconds) {
  if (milliseconds == 0 || milliseconds < -1) return refused("timeout is neither -1 nor positive");
  const auto counter = desk.counter_of(::pthread_self());
  if (counter == nullptr) {
    return failed(ACL_ERROR_RT_THREAD_SUBSCRIBE, "the thread is subscribed to no stream");
  }
  auto next = counter->take(std::chrono::milliseconds(milliseconds));
  if (!next) return failed(ACL_ERROR_RT_REPORT_TIMEOUT, "no callback came within the time");
  next->function(next->argument);
  next->done.set_value();
  return {};
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

outcome launch_callback(aclrtStream handle, const callback& what) {
  if (what.function == nullptr) return failed(ACL_ERROR_RT_PARAM_INVALID, "fn is NULL");
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
  return leave_in_order(handle, (*to)->ref, std::move(counter), what);
}

outcome launch_host_function(aclrtStream handle, const callback& what) {
  if (what.function == nullptr) return failed(ACL_ERROR_RT_PARAM_INVALID, "fn is NULL");
  const auto to = find_own_stream(handle);
  if (!to) return to.why;
  std::shared_ptr<report_counter> counter;
  {
    const std::lock_guard held((*to)->mutex);
    if ((*to)->family == callback_family::reports) return mixed();
    (*to)->family = callback_family::host_functions;
    counter = host_functions().counter_of((*to)->function_thread);
  }
  if (counter != nullptr) return leave_in_order(handle, (*to)->ref, std::move(counter), what);
  const auto submitted = call((*to)->ref, [what] { what.function(what.argument); });
  return submitted ? outcome{} : refusal(handle, submitted.error());
}

}  // namespace
}  // namespace convoy::ascendcl

using namespace convoy::ascendcl;

aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return answer(__func__, [&] { return subscribe(to_reports(), threadId, stream); });
}
aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return answer(__func__, [&] { return unsubscribe(to_reports(), threadId, stream); });
}
aclError aclrtProcessReport(int32_t timeout) {
  return answer(__func__, [&] { return process(reports(), timeout); });
}
aclError aclrtLaunchCallback(aclrtCallback fn, void* userData, aclrtCallbackBlockType blockType,
                             aclrtStream stream) {
  return answer(__func__, [&] {
    const bool known = blockType == ACL_CALLBACK_NO_BLOCK || blockType == ACL_CALLBACK_BLOCK;
    if (!known) return refused("blockType is neither of the two");
    return launch_callback(stream, {fn, userData, blockType == ACL_CALLBACK_BLOCK});
  });
}
aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args) {
  return answer(__func__, [&] { return launch_host_function(stream, {fn, args}); });
}
aclError aclrtSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream) {
  return answer(__func__, [&] { return subscribe(to_functions(), hostFuncThreadId, exeStream); });
}
aclError aclrtUnSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream) {
  return answer(__func__, [&] { return unsubscribe(to_functions(), hostFuncThreadId, exeStream); });
}
aclError aclrtProcessHostFunc(int32_t timeout) {
  return answer(__func__, [&] { return process(host_functions(), timeout); });
}
aclError aclrtRegStreamStateCallback(const char* regName, aclrtStreamStateCallback callback,
                                     void* args) {
  return answer(__func__, [&] { return stream_watchers().set(regName, callback, args); });
}
aclError aclrtRegDeviceStateCallback(const char* regName, aclrtDeviceStateCallback callback,
                                     void* args) {
  return answer(__func__, [&] { return device_watchers().set(regName, callback, args); });
}
aclError aclrtGetThreadLastTaskId(uint32_t* taskId) {
  return answer(__func__, [&] {
    if (taskId == nullptr) return refused("taskId is NULL");
    *taskId = this_thread().last_task;
    return outcome{};
  });
}
