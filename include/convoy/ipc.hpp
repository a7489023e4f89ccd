// Device memory and events that two processes share.
//
// One process exports, and hands the key to another by whatever means it likes; the other imports.
// Both then work on the same bytes, and an event recorded in one can be waited for in the other.
// Keys are good as long as the exporting process lives. Memory that is freed while another process
// has it imported stays out of use until that process closes it or ends.
#pragma once

#include <array>
#include <convoy/event.hpp>
#include <convoy/export.hpp>
#include <convoy/ids.hpp>
#include <convoy/status.hpp>
#include <cstddef>
#include <cstdint>
#include <span>

namespace convoy {

// Plain bytes, to be sent as they are.
struct ipc_key {
  std::array<std::uint8_t, 32> bytes = {};

  friend constexpr bool operator==(const ipc_key&, const ipc_key&) = default;
};

enum class importers : std::uint8_t { anyone, permitted };

struct imported_memory {
  void* start = nullptr;
  std::size_t bytes = 0;
  device_id device = {};
};

// Takes the start of device memory; exporting it again answers the same key and the latest choice
// of importers.
CONVOY_EXPORT result<ipc_key> export_memory(void* start, importers allowed = importers::anyone);

// Adds processes, by their system-wide numbers, to those that may import. Only the exporter may.
CONVOY_EXPORT status permit(const ipc_key& key, std::span<const std::int32_t> processes);

// Ends the export: nobody can import it from now on; what is imported stays so.
CONVOY_EXPORT status withdraw(const ipc_key& key);

// The memory behind the key, on the device with the exporter's number. Importing it again answers
// the same pointer, to be closed as often. not_permitted for a process that may not, and for the
// exporter itself; destroyed_handle when the export has ended or its process has.
CONVOY_EXPORT result<imported_memory> import_memory(const ipc_key& key);
CONVOY_EXPORT status close_imported(void* start);

// For events made with event_options::interprocess. The imported event can be recorded, too, in
// streams of `device`; the latest recording counts, wherever it was made. A wait for a recording of
// a process that ends before it lands fails with device_failure.
CONVOY_EXPORT result<ipc_key> export_event(event_ref event);
CONVOY_EXPORT result<event> import_event(const ipc_key& key, device_id device);

}  // namespace convoy
