#include <convoy/convoy.hpp>

#include "support/contents.hpp"
#include "support/gate.hpp"
#include "support/own_process.hpp"
#include "support/second_process.hpp"

namespace convoy {
namespace {

using namespace test;
using namespace std::chrono_literals;

constexpr event_options between_processes{.timing = false, .interprocess = true};

// Submits a wait for the event to a stream, and sends what queries and waits answer.
const role waits("waits", [](message_pipe& parent) {
  const event imported = must(import_event(parent.receive<ipc_key>(), first_device));
  const stream s = new_stream();
  parent.send(imported.query().code);
  EXPECT_OK(wait(s, imported).error());
  parent.send(imported.synchronize(0ns).code);
  parent.send(s.query().code);
  parent.send(s.synchronize().code);
  parent.send(imported.synchronize().code);
});

// Records the event behind a gate that opens on request.
const role records("records", [](message_pipe& parent) {
  const event imported = must(import_event(parent.receive<ipc_key>(), first_device));
  const stream s = new_stream();
  gate held(s);
  EXPECT_OK(record(s, imported).error());
  parent.send(true);
  parent.receive<bool>();
  held.open();
  EXPECT_OK(s.synchronize());
  parent.send(true);
});

const role imports_event("imports_event", [](message_pipe& parent) {
  while (parent.receive<bool>()) {
    parent.send(import_event(parent.receive<ipc_key>(), first_device).error().code);
  }
});

class IpcEvent : public own_process {};

TEST_F(IpcEvent, HoldsStreamOfOtherProcess) {
  const stream s = new_stream();
  const event shared = must(make_event(first_device, between_processes));
  second_process other("waits");
  gate held(s);
  EXPECT_OK(record(s, shared).error());

  other.send(must(export_event(shared)));
  EXPECT_EQ(other.receive<errc>(), errc::not_ready);
  EXPECT_EQ(other.receive<errc>(), errc::timed_out);
  EXPECT_EQ(other.receive<errc>(), errc::not_ready);
  held.open();

  EXPECT_EQ(other.receive<errc>(), errc::ok);
  EXPECT_EQ(other.receive<errc>(), errc::ok);
}

TEST_F(IpcEvent, UnrecordedEventIsComplete) {
  const event shared = must(make_event(first_device, between_processes));
  second_process other("waits");

  other.send(must(export_event(shared)));

  for (int answer = 0; answer != 5; ++answer) EXPECT_EQ(other.receive<errc>(), errc::ok);
}

TEST_F(IpcEvent, ImporterMayRecord) {
  const event shared = must(make_event(first_device, between_processes));
  const stream s = new_stream();
  second_process other("records");
  other.send(must(export_event(shared)));
  other.receive<bool>();

  EXPECT_EQ(shared.query().code, errc::not_ready);
  EXPECT_OK(wait(s, shared).error());
  EXPECT_EQ(s.query().code, errc::not_ready);
  other.send(true);
  other.receive<bool>();

  EXPECT_OK(s.synchronize());
  EXPECT_OK(shared.query());
}

TEST_F(IpcEvent, DeadRecorderFailsWait) {
  const event shared = must(make_event(first_device, between_processes));
  const stream s = new_stream();
  second_process other("records");
  other.send(must(export_event(shared)));
  other.receive<bool>();
  EXPECT_OK(wait(s, shared).error());

  other.kill();

  EXPECT_EQ(s.synchronize().code, errc::device_failure);
  EXPECT_EQ(shared.synchronize().code, errc::device_failure);
}

TEST_F(IpcEvent, DroppedRecordingCompletes) {
  const stream s = new_stream();
  const event shared = must(make_event(first_device, between_processes));
  second_process other("waits");
  gate held(s);
  held.wait_for_arrival();
  EXPECT_OK(record(s, shared).error());
  other.send(must(export_event(shared)));
  for (int answer = 0; answer != 3; ++answer) other.receive<errc>();

  EXPECT_OK(s.abort());

  EXPECT_EQ(other.receive<errc>(), errc::ok);
  EXPECT_EQ(other.receive<errc>(), errc::ok);
}

TEST_F(IpcEvent, OtherEventsCannotBeExported) {
  const event own = must(make_event(first_device));

  EXPECT_EQ(export_event(own).error().code, errc::not_permitted);
}

TEST_F(IpcEvent, HasNoTiming) {
  const stream s = new_stream();
  const event shared = must(make_event(first_device, {.interprocess = true}));
  EXPECT_OK(record(s, shared).error());
  EXPECT_OK(s.synchronize());

  EXPECT_EQ(elapsed(shared, shared).error().code, errc::not_recorded);
}

TEST_F(IpcEvent, CannotBeLatched) {
  const event_options both{.timing = false, .latched = true, .interprocess = true};

  EXPECT_EQ(make_event(first_device, both).error().code, errc::not_supported);
}

TEST_F(IpcEvent, MemoryKeyIsRefused) {
  const event shared = must(make_event(first_device, between_processes));
  const buffer memory = device_holding(numbered(64));
  second_process other("imports_event");

  other.send(true);
  other.send(must(export_memory(memory.data())));
  EXPECT_EQ(other.receive<errc>(), errc::invalid_handle);
  other.send(false);
  EXPECT_EQ(import_event(must(export_event(shared)), first_device).error().code,
            errc::not_permitted);
}

TEST_F(IpcEvent, KeyEndsWithEvent) {
  event shared = must(make_event(first_device, between_processes));
  const ipc_key key = must(export_event(shared));
  shared = {};
  second_process other("imports_event");

  other.send(true);
  other.send(key);

  EXPECT_EQ(other.receive<errc>(), errc::destroyed_handle);
  other.send(false);
}

}  // namespace
}  // namespace convoy
