#include "runtime/ipc_table.hpp"

#include <algorithm>
#include <utility>

#include "os/process.hpp"
#include "os/shared_pages.hpp"

namespace convoy {
namespace {

// True when the descriptor is of the file that was exported and the range lies inside of it.
bool holds(int file, const ipc::exported_range& range) {
  return file >= 0 && os::identity_of(file) == range.identity &&
         range.bytes <= SIZE_MAX - range.offset && os::keeps_size(file, range.offset + range.bytes);
}

}  // namespace

result<ipc::directory*> ipc_table::own_directory() {
  if (!directory_) directory_ = ipc::directory::make();
  if (!directory_) return status{errc::out_of_memory};
  if (!directory_->is_open()) return status{errc::not_permitted};
  return directory_.get();
}

result<ipc::key> ipc_table::export_memory(void* start, importers allowed) {
  const auto attributes = space_.locate(start);
  if (!attributes) return attributes.error();
  const auto pages = space_.share(start);
  if (!pages) return pages.error();

  const lock held(mutex_);
  const auto directory = own_directory();
  if (!directory) return directory.error();
  auto known = exports_.find(start);
  if (known == exports_.end()) {
    const auto made = (*directory)->add(ipc::kind::memory);
    if (!made) return made.error();
    made->entry->as<ipc::exported_range>() = {number(attributes->device), pages->file,
                                              pages->offset, pages->bytes,
                                              os::identity_of(pages->file)};
    known = exports_.emplace(start, made->name).first;
    export_count_.fetch_add(1, std::memory_order_relaxed);
  }
  auto& members = (*directory)->find(known->second)->members;
  members.open_to_all = allowed == importers::anyone ? 1 : 0;
  members.withdrawn = 0;
  return known->second;
}

status ipc_table::permit(const ipc::key& name, std::span<const std::int32_t> processes) {
  const lock held(mutex_);
  auto* const found = directory_ ? directory_->find(name) : nullptr;
  if (found == nullptr) return {errc::invalid_handle};
  return {found->members.permit(processes) ? errc::ok : errc::out_of_memory};
}

status ipc_table::withdraw(const ipc::key& name) {
  const lock held(mutex_);
  auto* const found = directory_ ? directory_->find(name) : nullptr;
  if (found == nullptr) return {errc::invalid_handle};
  found->members.withdrawn = 1;
  return {};
}

std::function<bool()> ipc_table::end_export(void* start) {
  if (export_count_.load(std::memory_order_relaxed) == 0) return {};
  const lock held(mutex_);
  const auto known = exports_.find(start);
  if (known == exports_.end()) return {};
  ipc::entry* const entry = directory_->find(known->second);
  entry->members.withdrawn = 1;
  const ipc::key name = known->second;
  exports_.erase(known);
  export_count_.fetch_sub(1, std::memory_order_relaxed);
  return [this, entry, name] {
    if (entry->members.in_use()) return true;
    remove(name);
    return false;
  };
}

void ipc_table::remove(const ipc::key& name) {
  const lock held(mutex_);
  directory_->remove(name);
}

result<ipc_table::import> ipc_table::open_import(const ipc::key& name) {
  auto entry = ipc::open_entry(name, ipc::kind::memory);
  if (!entry) return entry.error();
  const std::int32_t self = os::pid();
  if (const errc refusal = (*entry)->members.enter(self); refusal != errc::ok) {
    return status{refusal};
  }
  const auto range = (*entry)->as<ipc::exported_range>();
  const int file = os::open_shared(name.process, range.file);
  const device_id device{range.device};
  const auto start = holds(file, range) ? space_.adopt(device, {file, range.offset, range.bytes})
                                        : result<void*>(status{errc::destroyed_handle});
  if (file >= 0) os::close_shared(file);
  if (start) return import{{*start, range.bytes, device}, std::move(*entry), 0};
  (*entry)->members.leave(self);
  return start.error();
}

result<imported_memory> ipc_table::import_memory(const ipc::key& name) {
  if (name.process == os::pid()) return status{errc::not_permitted};
  const lock held(mutex_);
  auto known = std::ranges::find(imports_, name, &decltype(imports_)::value_type::first);
  if (known == imports_.end()) {
    auto made = open_import(name);
    if (!made) return made.error();
    known = imports_.emplace(imports_.end(), name, std::move(*made));
  }
  ++known->second.count;
  return known->second.memory;
}

result<std::optional<ipc_table::closed>> ipc_table::close_imported(void* start) {
  const lock held(mutex_);
  const auto known = std::ranges::find_if(
      imports_, [&](const auto& each) { return each.second.memory.start == start; });
  if (known == imports_.end()) return status{errc::not_an_allocation, copy_side::none, {}, start};
  if (--known->second.count != 0) return std::optional<closed>{};
  const auto freed = space_.retire_adopted(start);
  if (!freed) return freed.error();
  closed ended{*freed, [entry = std::move(known->second.entry)] {
                 entry->members.leave(os::pid());
                 return false;
               }};
  imports_.erase(known);
  return std::optional(std::move(ended));
}

result<std::shared_ptr<ipc_event>> ipc_table::make_event() {
  const lock held(mutex_);
  const auto directory = own_directory();
  if (!directory) return directory.error();
  const auto made = (*directory)->add(ipc::kind::event);
  if (!made) return made.error();
  auto* const event = &made->entry->as<ipc_event>();
  made->entry->members.open_to_all = 1;
  events_[event] = made->name;
  return std::shared_ptr<ipc_event>(event, [this, name = made->name](ipc_event* ended) {
    const lock again(mutex_);
    events_.erase(ended);
    directory_->remove(name);
  });
}

result<ipc::key> ipc_table::export_event(const ipc_event& event) {
  const lock held(mutex_);
  const auto known = events_.find(&event);
  if (known == events_.end() || !directory_->is_open()) return status{errc::not_permitted};
  return known->second;
}

result<std::shared_ptr<ipc_event>> ipc_table::import_event(const ipc::key& name) {
  if (name.process == os::pid()) return status{errc::not_permitted};
  auto entry = ipc::open_entry(name, ipc::kind::event);
  if (!entry) return entry.error();
  if (const errc refusal = (*entry)->members.enter(os::pid()); refusal != errc::ok) {
    return status{refusal};
  }
  return std::shared_ptr<ipc_event>(
      &(*entry)->as<ipc_event>(),
      [held = *entry](ipc_event* /*inside it*/) { held->members.leave(os::pid()); });
}

}  // namespace convoy
