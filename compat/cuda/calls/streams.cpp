#include "calls/streams.hpp"

#include <convoy/device.hpp>
#include <convoy/event.hpp>
#include <convoy/stream.hpp>
#include <map>
#include <mutex>

#include "calls/pools.hpp"
#include "state/context.hpp"
#include "state/owners.hpp"
#include "state/thread.hpp"

namespace convoy::cuda {
namespace {

constexpr unsigned event_flags_known =
    cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

bool is_kept(cudaStreamAttrID which) {
  return which == cudaStreamAttributeAccessPolicyWindow ||
         which == cudaStreamAttributeSynchronizationPolicy ||
         which == cudaStreamAttributeMemSyncDomainMap ||
         which == cudaStreamAttributeMemSyncDomain || which == cudaStreamAttributePriority;
}

using attribute_set = std::map<int, cudaStreamAttrValue>;

// By handle of Convoy's.
struct attribute_book {
  std::mutex mutex;
  std::map<std::uint64_t, attribute_set> streams;

  static attribute_book& get() {
    static auto* const only = new attribute_book;
    return *only;
  }
};

cudaStreamAttrValue initial(cudaStreamAttrID which) {
  cudaStreamAttrValue made = {};
  if (which == cudaStreamAttributeSynchronizationPolicy) made.syncPolicy = cudaSyncPolicyAuto;
  if (which == cudaStreamAttributeMemSyncDomainMap) made.memSyncDomainMap = {0, 1};
  return made;
}

// A step that does nothing, to ask about what came before it.
result<ticket> mark_in(stream_ref stream) {
  const auto on = stream.device();
  if (!on) return on.error();
  const auto mark = make_event(*on, {.timing = false});
  if (!mark) return mark.error();
  return convoy::record(stream, *mark);
}

// How the steps up to one that has landed went. A stream that is gone can tell nothing.
cudaError_t fared(stream_ref stream, ticket landed) {
  const errc code = stream.synchronize(landed).code;
  return code == errc::destroyed_handle ? cudaSuccess : to_cuda(code);
}

// What waiting for a stream is followed by.
status waited(const status& outcome) {
  release_idle_memory();
  return outcome;
}

}  // namespace

outcome make_stream_on(device_id device, unsigned flags, int priority, cudaStream_t* made) {
  if (made == nullptr || (flags & ~unsigned{cudaStreamNonBlocking}) != 0) {
    return cudaErrorInvalidValue;
  }
  auto got =
      make_stream(device, {.blocking = (flags & cudaStreamNonBlocking) == 0, .priority = priority});
  if (!got) return got;
  *made = handle_of(got->release());
  add_owned(owner_on(device), {owned::stream, number(*made)});
  return cudaSuccess;
}

outcome destroy_stream(cudaStream_t stream) {
  if (is_default(stream)) return cudaErrorInvalidResourceHandle;
  const status gone = destroy(stream_ref(number(stream)));
  if (!gone.ok()) return gone;
  drop_owned(number(stream));
  attribute_book& book = attribute_book::get();
  const std::lock_guard held(book.mutex);
  book.streams.erase(number(stream));
  return gone;
}

outcome wait_for(cudaStream_t stream) {
  if (const outcome o = may_wait(); !o.ok()) return o;
  const auto on = native(stream);
  if (!on) return on;
  return waited(on->synchronize());
}

outcome wait_for(device_id device) {
  if (const outcome o = may_wait(); !o.ok()) return o;
  return waited(convoy::device(device).synchronize());
}

outcome query(cudaStream_t stream) {
  const auto on = native(stream);
  if (!on) return on;
  return on->query();
}

outcome flags_of(cudaStream_t stream, unsigned* flags) {
  if (flags == nullptr) return cudaErrorInvalidValue;
  const auto on = native(stream);
  if (!on) return on;
  const auto options = on->options();
  if (!options) return options;
  *flags = options->blocking ? cudaStreamDefault : cudaStreamNonBlocking;
  return cudaSuccess;
}

outcome priority_of(cudaStream_t stream, int* priority) {
  if (priority == nullptr) return cudaErrorInvalidValue;
  const auto on = native(stream);
  if (!on) return on;
  const auto options = on->options();
  if (!options) return options;
  *priority = options->priority;
  return cudaSuccess;
}

outcome device_of(cudaStream_t stream, int* device) {
  if (device == nullptr) return cudaErrorInvalidValue;
  const auto on = native(stream);
  if (!on) return on;
  const auto id = on->device();
  if (!id) return id;
  *device = convoy::number(*id);
  return cudaSuccess;
}

outcome id_of(cudaStream_t stream, unsigned long long* id) {
  if (id == nullptr) return cudaErrorInvalidValue;
  const auto on = native(stream);
  if (!on) return on;
  if (const auto live = on->device(); !live) return live;
  *id = on->handle();
  return cudaSuccess;
}

outcome set_attribute(cudaStream_t stream, cudaStreamAttrID which,
                      const cudaStreamAttrValue* value) {
  if (value == nullptr || !is_kept(which)) return cudaErrorInvalidValue;
  const auto on = native(stream);
  if (!on) return on;
  const auto options = on->options();
  if (!options) return options;
  if (which == cudaStreamAttributePriority) {
    return value->priority == options->priority ? cudaSuccess : cudaErrorNotSupported;
  }
  attribute_book& book = attribute_book::get();
  const std::lock_guard held(book.mutex);
  book.streams[on->handle()][which] = *value;
  return cudaSuccess;
}

outcome get_attribute(cudaStream_t stream, cudaStreamAttrID which, cudaStreamAttrValue* value) {
  if (value == nullptr || !is_kept(which)) return cudaErrorInvalidValue;
  const auto on = native(stream);
  if (!on) return on;
  const auto options = on->options();
  if (!options) return options;
  *value = initial(which);
  if (which == cudaStreamAttributePriority) value->priority = options->priority;
  attribute_book& book = attribute_book::get();
  const std::lock_guard held(book.mutex);
  const auto set = book.streams.find(on->handle());
  if (set == book.streams.end()) return cudaSuccess;
  if (const auto found = set->second.find(which); found != set->second.end()) {
    *value = found->second;
  }
  return cudaSuccess;
}

outcome copy_attributes(cudaStream_t to, cudaStream_t from) {
  const auto target = native(to);
  const auto source = native(from);
  if (!target) return target;
  if (!source) return source;
  for (const stream_ref each : {*target, *source}) {
    if (const auto live = each.device(); !live) return live;
  }
  attribute_book& book = attribute_book::get();
  const std::lock_guard held(book.mutex);
  book.streams[target->handle()] = book.streams[source->handle()];
  return cudaSuccess;
}

outcome call_host(cudaStream_t stream, cudaHostFn_t function, void* argument) {
  if (function == nullptr) return cudaErrorInvalidValue;
  const auto on = native(stream);
  if (!on) return on;
  return call(*on, [function, argument] { run_host_function([&] { function(argument); }); });
}

outcome call_back(cudaStream_t stream, cudaStreamCallback_t function, void* argument,
                  unsigned flags) {
  if (function == nullptr || flags != 0) return cudaErrorInvalidValue;
  const auto on = native(stream);
  if (!on) return on;
  const auto before = mark_in(*on);
  if (!before) return before;
  return call(*on, [function, argument, stream, on = *on, before = *before] {
    run_host_function([&] { function(stream, fared(on, before), argument); });
  });
}

outcome make_event_on(device_id device, unsigned flags, cudaEvent_t* made) {
  const bool timed = (flags & cudaEventDisableTiming) == 0;
  const bool shared = (flags & cudaEventInterprocess) != 0;
  if (made == nullptr || (flags & ~event_flags_known) != 0 || (shared && timed)) {
    return cudaErrorInvalidValue;
  }
  auto got = make_event(device, {.timing = timed, .interprocess = shared});
  if (!got) return got;
  *made = handle_of(got->release());
  add_owned(owner_on(device), {owned::event, number(*made)});
  return cudaSuccess;
}

outcome destroy_event(cudaEvent_t event) {
  const status gone = destroy(native(event));
  if (gone.ok()) drop_owned(number(event));
  return gone;
}

outcome record(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  if (flags > cudaEventRecordExternal) return cudaErrorInvalidValue;
  const auto on = native(stream);
  if (!on) return on;
  return convoy::record(*on, native(event));
}

outcome wait_in(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  if (flags > cudaEventWaitExternal) return cudaErrorInvalidValue;
  const auto on = native(stream);
  if (!on) return on;
  return wait(*on, native(event));
}

outcome wait_for(cudaEvent_t event) {
  if (const outcome o = may_wait(); !o.ok()) return o;
  return waited(native(event).synchronize());
}

outcome query(cudaEvent_t event) { return native(event).query(); }

outcome milliseconds_between(cudaEvent_t start, cudaEvent_t end, float* milliseconds) {
  if (milliseconds == nullptr) return cudaErrorInvalidValue;
  const auto took = elapsed(native(start), native(end));
  if (!took) return took;
  *milliseconds = static_cast<float>(static_cast<double>(took->count()) / 1e6);
  return cudaSuccess;
}

}  // namespace convoy::cuda
