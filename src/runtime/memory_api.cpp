#include <convoy/memory.hpp>

#include "os/pages.hpp"
#include "runtime/engine.hpp"
#include "runtime/observed_calls.hpp"

namespace convoy {
namespace {

// Retries while freed memory can be reclaimed.
template <class Allocate>
result<void*> allocate_or_wait(engine& e, const char* function, const Allocate& allocate) {
  auto got = allocate();
  while (!got && got.error().code == errc::out_of_memory &&
         (e.deferred().sweep() || e.deferred().wait())) {
    got = allocate();
  }
  if (got) e.notify_allocated(*got);
  return observed_call(e, function, got);
}

// Every page of pinned memory is allocated at once; the system ends processes that allocate more
// than it has. Small sizes are not worth the question.
bool machine_has(std::size_t bytes) {
  constexpr std::size_t small = std::size_t{64} << 20;
  return bytes <= small || bytes <= os::available_memory();
}

}  // namespace

result<void*> allocate(device_id device, std::size_t bytes) {
  const auto e = engine::get();
  if (!e) return e.error();
  return allocate_or_wait(**e, "convoy::allocate",
                          [&] { return (*e)->space().allocate(device, bytes); });
}

result<void*> allocate_pinned(std::size_t bytes) {
  const auto e = engine::get();
  if (!e) return e.error();
  const auto got = allocate_or_wait(**e, "convoy::allocate_pinned", [&]() -> result<void*> {
    if (machine_has(bytes)) return (*e)->space().allocate_pinned(bytes);
    return status{
        .code = errc::out_of_memory, .bytes = bytes, .memory = memory_class{memory_kind::pinned}};
  });
  if (got) os::populate(*got, bytes);
  return got;
}

result<void*> allocate_managed(std::size_t bytes) {
  const auto e = engine::get();
  if (!e) return e.error();
  return allocate_or_wait(**e, "convoy::allocate_managed",
                          [&] { return (*e)->space().allocate_managed(bytes); });
}

status deallocate(void* start) {
  const auto e = engine::get();
  if (!e) return e.error();
  const observed_memory memory = (*e)->observed(start);
  const auto freed = (*e)->space().retire(start);
  if (!freed) return observed_call(**e, "convoy::deallocate", freed.error());
  (*e)->notify_freed(memory);
  (*e)->defer_free(*freed, start);
  return {};
}

status pin(void* start, std::size_t bytes, pin_access access) {
  const auto e = engine::get();
  if (!e) return e.error();
  const auto needed =
      access == pin_access::read_only ? os::page_access::read : os::page_access::read_write;
  const status s = (*e)->space().add_registered(start, bytes, needed);
  if (s.ok()) (*e)->notify_allocated(start);
  return observed_call(**e, "convoy::pin", s);
}

status unpin(void* start) {
  const auto e = engine::get();
  if (!e) return e.error();
  const observed_memory memory = (*e)->observed(start);
  const status s = (*e)->space().remove_registered(start);
  if (s.ok()) (*e)->notify_freed(memory);
  return observed_call(**e, "convoy::unpin", s);
}

result<pointer_attributes> locate(const void* pointer) {
  const auto e = engine::get();
  if (!e) return e.error();
  return (*e)->space().locate(pointer);
}

result<memory_class> classify(const void* pointer) {
  const auto e = engine::get();
  if (!e) return e.error();
  return (*e)->space().classify(pointer);
}

result<void*> engine_address(const void* pointer) {
  const auto e = engine::get();
  if (!e) return e.error();
  return (*e)->space().engine_address(pointer);
}

result<memory_stats> memory_stats_of(device_id device) {
  const auto e = engine::get();
  if (!e) return e.error();
  if (!(*e)->has(device)) return status{errc::invalid_device};
  (*e)->deferred().sweep();
  const std::size_t total = (*e)->space().capacity();
  return memory_stats{total - (*e)->space().used(device), total};
}

}  // namespace convoy
