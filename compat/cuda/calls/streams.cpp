#include "calls/streams.hpp"

#include <convoy/device.hpp>
#include <convoy/event.hpp>
#include <convoy/stream.hpp>
#include <map>
#include <mutex>
#include <utility>

#include "calls/pools.hpp"
#include "shared/process_lifetime.hpp"
#include "state/context.hpp"
#include "state/owners.hpp"
#include "state/thread.hpp"
#include "state/visible_devices.hpp"

namespace convoy::cuda {
namespace {

using compat::process_object;

constexpr unsigned event_flags_known =
    cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

bool is_supported(cudaStreamAttrID attribute) {
  return attribute == cudaStreamAttributeAccessPolicyWindow ||
         attribute == cudaStreamAttributeSynchronizationPolicy ||
         attribute == cudaStreamAttributeMemSyncDomainMap ||
         attribute == cudaStreamAttributeMemSyncDomain || attribute == cudaStreamAttributePriority;
}

using attribute_set = std::map<int, cudaStreamAttrValue>;

// Keyed by the engine's handle of the stream.
struct attribute_table {
  std::mutex mutex;
  std::map<std::uint64_t, attribute_set> streams;
};

cudaStreamAttrValue initial_value(cudaStreamAttrID attribute) {
  cudaStreamAttrValue made = {};
  if (attribute == cudaStreamAttributeSynchronizationPolicy) made.syncPolicy = cudaSyncPolicyAuto;
  if (attribute == cudaStreamAttributeMemSyncDomainMap) made.memSyncDomainMap = {0, 1};
  return made;
}

// Enqueues a step without effect and returns its ticket, to query what precedes it.
result<ticket> record_marker(stream_ref stream) {
  const auto device = stream.device();
  if (!device) return device.error();
  const auto event = make_event(*device, {.timing = false});
  if (!event) return event.error();
  return convoy::record(stream, *event);
}

// The status of the stream up to a step that has landed; success if the stream was destroyed.
cudaError_t status_up_to(stream_ref stream, ticket landed) {
  const errc code = stream.synchronize(landed).code;
  return code == errc::destroyed_handle ? cudaSuccess : to_cuda(code);
}

// Trims the pools, as CUDA does after a synchronization, and passes the status through.
status trim_after_wait(const status& waited) {
  trim_pools();
  return waited;
}

}  // namespace

call_status make_stream_on(device_id device, unsigned flags, int priority, cudaStream_t* out) {
  if (out == nullptr || (flags & ~unsigned{cudaStreamNonBlocking}) != 0) {
    return cudaErrorInvalidValue;
  }
  auto created =
      make_stream(device, {.blocking = (flags & cudaStreamNonBlocking) == 0, .priority = priority});
  if (!created) return created;
  *out = handle_of(created->release());
  add_owned(owner_on(device), {handle_kind::stream, number(*out)});
  return cudaSuccess;
}

call_status destroy_stream(cudaStream_t stream) {
  if (is_default(stream)) return cudaErrorInvalidResourceHandle;
  const status destroyed = destroy(stream_ref(native_number(stream)));
  if (!destroyed.ok()) return destroyed;
  drop_owned(number(stream));
  auto& table = process_object<attribute_table>();
  const std::lock_guard held(table.mutex);
  table.streams.erase(native_number(stream));
  return destroyed;
}

call_status synchronize(cudaStream_t stream) {
  if (const call_status s = check_may_wait(); !s.ok()) return s;
  if (is_legacy(stream)) {
    const auto device = enter_device();
    if (!device) return device;
    return trim_after_wait(convoy::device(*device).synchronize_blocking_streams());
  }
  const auto target = native(stream);
  if (!target) return target;
  return trim_after_wait(target->synchronize());
}

call_status synchronize(device_id device) {
  if (const call_status s = check_may_wait(); !s.ok()) return s;
  return trim_after_wait(convoy::device(device).synchronize());
}

call_status query(cudaStream_t stream) {
  if (is_legacy(stream)) {
    const auto device = enter_device();
    if (!device) return device;
    return convoy::device(*device).query_blocking_streams();
  }
  const auto target = native(stream);
  if (!target) return target;
  return target->query();
}

call_status flags_of(cudaStream_t stream, unsigned* flags) {
  if (flags == nullptr) return cudaErrorInvalidValue;
  const auto target = native(stream);
  if (!target) return target;
  const auto options = target->options();
  if (!options) return options;
  *flags = options->blocking ? cudaStreamDefault : cudaStreamNonBlocking;
  return cudaSuccess;
}

call_status priority_of(cudaStream_t stream, int* priority) {
  if (priority == nullptr) return cudaErrorInvalidValue;
  const auto target = native(stream);
  if (!target) return target;
  const auto options = target->options();
  if (!options) return options;
  *priority = options->priority;
  return cudaSuccess;
}

call_status device_of(cudaStream_t stream, int* device) {
  if (device == nullptr) return cudaErrorInvalidValue;
  const auto target = native(stream);
  if (!target) return target;
  const auto id = target->device();
  if (!id) return id;
  *device = ordinal_of(*id);
  return cudaSuccess;
}

call_status id_of(cudaStream_t stream, unsigned long long* id) {
  if (id == nullptr) return cudaErrorInvalidValue;
  const auto target = native(stream);
  if (!target) return target;
  if (const auto device = target->device(); !device) return device;
  *id = target->handle();
  return cudaSuccess;
}

call_status set_attribute(cudaStream_t stream, cudaStreamAttrID attribute,
                          const cudaStreamAttrValue* value) {
  if (value == nullptr || !is_supported(attribute)) return cudaErrorInvalidValue;
  const auto target = native(stream);
  if (!target) return target;
  const auto options = target->options();
  if (!options) return options;
  if (attribute == cudaStreamAttributePriority) {
    return value->priority == options->priority ? cudaSuccess : cudaErrorNotSupported;
  }
  auto& table = process_object<attribute_table>();
  const std::lock_guard held(table.mutex);
  table.streams[target->handle()][attribute] = *value;
  return cudaSuccess;
}

call_status get_attribute(cudaStream_t stream, cudaStreamAttrID attribute,
                          cudaStreamAttrValue* value) {
  if (value == nullptr || !is_supported(attribute)) return cudaErrorInvalidValue;
  const auto target = native(stream);
  if (!target) return target;
  const auto options = target->options();
  if (!options) return options;
  *value = initial_value(attribute);
  if (attribute == cudaStreamAttributePriority) value->priority = options->priority;
  auto& table = process_object<attribute_table>();
  const std::lock_guard held(table.mutex);
  const auto set = table.streams.find(target->handle());
  if (set == table.streams.end()) return cudaSuccess;
  if (const auto found = set->second.find(attribute); found != set->second.end()) {
    *value = found->second;
  }
  return cudaSuccess;
}

call_status copy_attributes(cudaStream_t to, cudaStream_t from) {
  const auto target = native(to);
  const auto source = native(from);
  if (!target) return target;
  if (!source) return source;
  for (const stream_ref each : {*target, *source}) {
    if (const auto device = each.device(); !device) return device;
  }
  auto& table = process_object<attribute_table>();
  const std::lock_guard held(table.mutex);
  table.streams[target->handle()] = table.streams[source->handle()];
  return cudaSuccess;
}

call_status capture_status(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  if (status == nullptr) return cudaErrorInvalidValue;
  int device = 0;
  const call_status s = device_of(stream, &device);
  if (s.ok()) *status = cudaStreamCaptureStatusNone;
  return s;
}

call_status exchange_capture_mode(cudaStreamCaptureMode* mode) {
  const bool known = mode != nullptr && *mode >= cudaStreamCaptureModeGlobal &&
                     *mode <= cudaStreamCaptureModeRelaxed;
  if (!known) return cudaErrorInvalidValue;
  const int previous = std::exchange(this_thread().capture_mode, static_cast<int>(*mode));
  *mode = static_cast<cudaStreamCaptureMode>(previous);
  return cudaSuccess;
}

call_status launch_host_function(cudaStream_t stream, cudaHostFn_t function, void* argument) {
  if (function == nullptr) return cudaErrorInvalidValue;
  const auto target = native(stream);
  if (!target) return target;
  return call(*target, [function, argument] { run_host_function([&] { function(argument); }); });
}

call_status add_callback(cudaStream_t stream, cudaStreamCallback_t function, void* argument,
                         unsigned flags) {
  if (function == nullptr || flags != 0) return cudaErrorInvalidValue;
  const auto target = native(stream);
  if (!target) return target;
  const auto before = record_marker(*target);
  if (!before) return before;
  return call(*target, [function, argument, stream, target = *target, before = *before] {
    run_host_function([&] { function(stream, status_up_to(target, before), argument); });
  });
}

call_status make_event_on(device_id device, unsigned flags, cudaEvent_t* out) {
  const bool timed = (flags & cudaEventDisableTiming) == 0;
  const bool shared = (flags & cudaEventInterprocess) != 0;
  if (out == nullptr || (flags & ~event_flags_known) != 0 || (shared && timed)) {
    return cudaErrorInvalidValue;
  }
  auto created = make_event(device, {.timing = timed, .interprocess = shared});
  if (!created) return created;
  *out = handle_of(created->release());
  add_owned(owner_on(device), {handle_kind::event, number(*out)});
  return cudaSuccess;
}

call_status destroy_event(cudaEvent_t event) {
  const status destroyed = destroy(native(event));
  if (destroyed.ok()) drop_owned(number(event));
  return destroyed;
}

call_status record(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  if (flags > cudaEventRecordExternal) return cudaErrorInvalidValue;
  const auto target = native(stream);
  if (!target) return target;
  return convoy::record(*target, native(event));
}

call_status wait_event(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  if (flags > cudaEventWaitExternal) return cudaErrorInvalidValue;
  const auto target = native(stream);
  if (!target) return target;
  return wait(*target, native(event));
}

call_status synchronize(cudaEvent_t event) {
  if (const call_status s = check_may_wait(); !s.ok()) return s;
  return trim_after_wait(native(event).synchronize());
}

call_status query(cudaEvent_t event) { return native(event).query(); }

call_status elapsed_time(cudaEvent_t start, cudaEvent_t end, float* milliseconds) {
  if (milliseconds == nullptr) return cudaErrorInvalidValue;
  const auto duration = elapsed(native(start), native(end));
  if (!duration) return duration;
  *milliseconds = static_cast<float>(static_cast<double>(duration->count()) / 1e6);
  return cudaSuccess;
}

}  // namespace convoy::cuda
