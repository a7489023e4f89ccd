// The exports and imports of this process.
#pragma once

#include <convoy/ipc.hpp>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/mutex.hpp"
#include "ipc/directory.hpp"
#include "memory/address_space.hpp"
#include "stream/ipc_event.hpp"

namespace convoy {

class ipc_table {
 public:
  explicit ipc_table(memory::address_space& space) : space_(space) {}

  result<ipc::key> export_memory(void* start, importers allowed);
  status permit(const ipc::key& name, std::span<const std::int32_t> processes);
  status withdraw(const ipc::key& name);

  // Ends the export of memory that was retired. The returned function is true while another process
  // still imports it; empty when it was never exported.
  std::function<bool()> end_export(void* start);

  result<imported_memory> import_memory(const ipc::key& name);

  // Memory that was closed as often as imported. Call `release` when no pending step uses the
  // memory any more: it removes this process from the importers and returns false.
  struct closed {
    memory::retired memory;
    std::function<bool()> release;
  };
  result<std::optional<closed>> close_imported(void* start);

  // The shared part of a new event, or of one that another process exported.
  result<std::shared_ptr<ipc_event>> make_event();
  result<std::shared_ptr<ipc_event>> import_event(const ipc::key& name);
  result<ipc::key> export_event(const ipc_event& event);

 private:
  struct import {
    imported_memory memory;
    std::shared_ptr<ipc::entry> entry;
    int count = 0;
  };

  result<ipc::directory*> own_directory() CONVOY_REQUIRES(mutex_);
  result<import> open_import(const ipc::key& name);
  void remove(const ipc::key& name);

  memory::address_space& space_;
  mutex mutex_;
  std::unique_ptr<ipc::directory> directory_ CONVOY_GUARDED_BY(mutex_);
  std::map<void*, ipc::key> exports_ CONVOY_GUARDED_BY(mutex_);
  std::map<const ipc_event*, ipc::key> events_ CONVOY_GUARDED_BY(mutex_);
  std::vector<std::pair<ipc::key, import>> imports_ CONVOY_GUARDED_BY(mutex_);
  std::atomic<std::size_t> export_count_ = 0;  // end_export() takes no lock while it is 0
};

}  // namespace convoy
