#include <bit>
#include <convoy/ipc.hpp>

#include "runtime/engine.hpp"

namespace convoy {
namespace {

ipc_key to_public(const ipc::key& name) { return std::bit_cast<ipc_key>(name); }
ipc::key to_inner(const ipc_key& name) { return std::bit_cast<ipc::key>(name); }

}  // namespace

result<ipc_key> export_memory(void* start, importers who) {
  const auto e = engine::get();
  if (!e) return e.error();
  const auto name = (*e)->shares().export_memory(start, who);
  if (!name) return name.error();
  return to_public(*name);
}

status permit(const ipc_key& key, std::span<const std::int32_t> processes) {
  const auto e = engine::get();
  return e ? (*e)->shares().permit(to_inner(key), processes) : e.error();
}

status withdraw(const ipc_key& key) {
  const auto e = engine::get();
  return e ? (*e)->shares().withdraw(to_inner(key)) : e.error();
}

result<imported_memory> import_memory(const ipc_key& key) {
  const auto e = engine::get();
  if (!e) return e.error();
  return (*e)->shares().import_memory(to_inner(key));
}

status close_imported(void* start) {
  const auto e = engine::get();
  if (!e) return e.error();
  auto ended = (*e)->shares().close_imported(start);
  if (!ended) return ended.error();
  if (auto& last = *ended) {
    (*e)->graves().bury(last->gone, (*e)->tails(), std::move(last->release));
  }
  return {};
}

result<ipc_key> export_event(event_ref event) {
  const auto e = engine::get();
  if (!e) return e.error();
  const auto found = (*e)->find(event);
  if (!found) return found.error();
  if (!(*found)->shared()) return status{errc::not_permitted};
  const auto name = (*e)->shares().export_mark(*(*found)->shared());
  if (!name) return name.error();
  return to_public(*name);
}

result<event> import_event(const ipc_key& key, device_id device) {
  const auto e = engine::get();
  if (!e) return e.error();
  if (!(*e)->has(device)) return status{errc::invalid_device};
  auto mark = (*e)->shares().import_mark(to_inner(key));
  if (!mark) return mark.error();
  return (*e)->add_event(std::make_shared<event_state>(device, false, false, std::move(*mark)));
}

}  // namespace convoy
