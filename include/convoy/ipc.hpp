// Device memory and events that several processes of one machine share.
//
// One process exports and sends the 32-byte key to another, e.g. over a pipe; the other imports.
// Both then work on the same bytes, and an event recorded in one can be waited for in the other.
//
// A key is valid until withdraw(), until the memory or event is freed, or until the exporting
// process ends. Memory that is freed while another process has it imported is not reused until that
// process closes it or ends. At most 504 processes can import one export at a time; the next one
// gets out_of_memory.
//
// Exports live in descriptors above 200, which other processes open. After a program has closed
// them, it can export nothing more, and its keys are invalid.
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

// Who can import: every process, or only those named by permit().
enum class importers : std::uint8_t { anyone, permitted };

struct imported_memory {
  void* start = nullptr;
  std::size_t bytes = 0;
  device_id device = {};
};

// Exports device memory by its start address. Returns at once; steps that use the memory go on.
// Exporting it again answers the same key, makes a withdrawn key valid again and replaces the
// choice of importers. Answers null_pointer, not_an_allocation for anything but the start of device
// memory that this process allocated, not_permitted after the program has closed Convoy's
// descriptors, or out_of_memory.
CONVOY_EXPORT result<ipc_key> export_memory(void* start, importers allowed = importers::anyone);

// Lets the processes with these PIDs import. Only the exporting process can call it; another gets
// invalid_handle, as for a key that is no longer valid. Answers out_of_memory beyond 504
// processes; then none of these is added.
CONVOY_EXPORT status permit(const ipc_key& key, std::span<const std::int32_t> processes);

// Ends the export: no process can import it from now on; existing imports stay valid. Only the
// exporting process can call it; another gets invalid_handle.
CONVOY_EXPORT status withdraw(const ipc_key& key);

// Maps the memory behind the key, on the device with the same number as in the exporting process.
// Importing it again answers the same pointer, to be closed as often. Returns at once. Answers
// not_permitted in the exporting process, in a process that was not permitted, and where the system
// denies access to the exporting process; destroyed_handle if the export or its process has ended;
// invalid_handle if it is not the key of memory; invalid_device or out_of_memory.
CONVOY_EXPORT result<imported_memory> import_memory(const ipc_key& key);

// Ends one import. Does not wait: the memory is released after the steps in flight have landed.
// Answers not_an_allocation if no imported memory starts there.
CONVOY_EXPORT status close_imported(void* start);

// The key of an event made with event_options::interprocess. Returns at once. Answers not_permitted
// for any other event, imported ones included.
CONVOY_EXPORT result<ipc_key> export_event(event_ref event);

// An event that stands for the exported one; it can be recorded in streams of `device`, too. The
// latest recording counts, whichever process made it. If that process ends before the recording
// lands, a wait for it fails with device_failure. Returns at once; answers as import_memory() does.
CONVOY_EXPORT result<event> import_event(const ipc_key& key, device_id device);

}  // namespace convoy
