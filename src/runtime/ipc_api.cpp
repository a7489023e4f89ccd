#include <bit>
#include <convoy/ipc.hpp>

#include "runtime/engine.hpp"
#include "runtime/observed_calls.hpp"

namespace convoy {
namespace {

ipc_key to_public(const ipc::key& name) { return std::bit_cast<ipc_key>(name); }
ipc::key to_inner(const ipc_key& name) { return std::bit_cast<ipc::key>(name); }

result<ipc::key> key_of(engine& e, event_ref event) {
  const auto found = e.find(event);
  if (!found) return found.error();
  if (!(*found)->shared()) return status{errc::not_permitted};
  return e.ipc().export_event(*(*found)->shared());
}

result<event> add_imported(engine& e, const ipc::key& key, device_id device) {
  if (!e.has(device)) return status{errc::invalid_device};
  auto shared = e.ipc().import_event(key);
  if (!shared) return shared.error();
  return e.add_event(std::make_shared<event_state>(device, false, false, std::move(*shared)));
}

}  // namespace

result<ipc_key> export_memory(void* start, importers allowed) {
  const auto e = engine::get();
  if (!e) return e.error();
  const auto name =
      observed_call(**e, "convoy::export_memory", (*e)->ipc().export_memory(start, allowed));
  if (!name) return name.error();
  return to_public(*name);
}

status permit(const ipc_key& key, std::span<const std::int32_t> processes) {
  const auto e = engine::get();
  if (!e) return e.error();
  return observed_call(**e, "convoy::permit", (*e)->ipc().permit(to_inner(key), processes));
}

status withdraw(const ipc_key& key) {
  const auto e = engine::get();
  if (!e) return e.error();
  return observed_call(**e, "convoy::withdraw", (*e)->ipc().withdraw(to_inner(key)));
}

result<imported_memory> import_memory(const ipc_key& key) {
  const auto e = engine::get();
  if (!e) return e.error();
  return observed_call(**e, "convoy::import_memory", (*e)->ipc().import_memory(to_inner(key)));
}

status close_imported(void* start) {
  const auto e = engine::get();
  if (!e) return e.error();
  auto ended = observed_call(**e, "convoy::close_imported", (*e)->ipc().close_imported(start));
  if (!ended) return ended.error();
  if (auto& last = *ended) {
    (*e)->deferred().defer(last->memory, (*e)->tails(), std::move(last->release));
  }
  return {};
}

result<ipc_key> export_event(event_ref event) {
  const auto e = engine::get();
  if (!e) return e.error();
  const auto name = observed_call(**e, "convoy::export_event", key_of(**e, event));
  if (!name) return name.error();
  return to_public(*name);
}

result<event> import_event(const ipc_key& key, device_id device) {
  const auto e = engine::get();
  if (!e) return e.error();
  return observed_call(**e, "convoy::import_event", add_imported(**e, to_inner(key), device));
}

}  // namespace convoy
