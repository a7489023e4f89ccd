#include <sys/mman.h>
#include <unistd.h>

#include <convoy/convoy.hpp>

#include "support/contents.hpp"
#include "support/gate.hpp"
#include "support/own_process.hpp"
#include "support/second_process.hpp"

namespace convoy {
namespace {

using namespace test;

constexpr std::size_t small = 1000;
constexpr std::size_t large = 3U << 20;

struct import_result {
  errc code = errc::ok;
  pointer_attributes attributes = {};
  void* start = nullptr;
};

// The outcome of importing the key in this process.
import_result import(const ipc_key& key) {
  const auto got = import_memory(key);
  if (!got) return {got.error().code};
  return {errc::ok, must(locate(got->start)), got->start};
}

errc import_outcome(const ipc_key& key) { return import_memory(key).error().code; }

// Sends whether the imported memory has the expected bytes, overwrites them, and closes it on
// request.
const role reads_and_writes("reads_and_writes", [](message_pipe& parent) {
  const import_result found = import(parent.receive<ipc_key>());
  parent.send(found);
  parent.send(contents_of(found.start, small) == numbered(small, 1));
  put(found.start, numbered(small, 2));
  parent.send(true);
  parent.receive<bool>();
  EXPECT_OK(close_imported(found.start));
  parent.send(true);
});

// Imports each key that it receives and sends the outcome.
const role imports("imports", [](message_pipe& parent) {
  while (parent.receive<bool>()) parent.send(import_outcome(parent.receive<ipc_key>()));
});

const role imports_twice("imports_twice", [](message_pipe& parent) {
  const auto key = parent.receive<ipc_key>();
  const import_result one = import(key);
  const import_result two = import(key);
  const bool same = one.start == two.start;
  EXPECT_OK(close_imported(two.start));
  const bool still_there = locate(one.start).ok();
  EXPECT_OK(close_imported(one.start));
  parent.send(same && still_there && !locate(one.start).ok());
  parent.send(close_imported(one.start).code);
});

const role misuses("misuses", [](message_pipe& parent) {
  const import_result found = import(parent.receive<ipc_key>());
  parent.send(deallocate(found.start).code);
  parent.send(export_memory(found.start).error().code);
});

const role exports_and_leaves("exports_and_leaves", [](message_pipe& parent) {
  parent.send(must(export_memory(must(allocate(first_device, small)))));
});

class Ipc : public own_process, public testing::WithParamInterface<std::size_t> {
 protected:
  errc ask(second_process& other, const ipc_key& key) {
    other.send(true);
    other.send(key);
    return other.receive<errc>();
  }
};

TEST_P(Ipc, ProcessesShareBytes) {
  const std::size_t size = GetParam();
  const buffer before = device_holding(numbered(size, 3));
  const buffer shared = device_holding(numbered(size, 1));
  const buffer after = device_holding(numbered(size, 4));
  second_process other("reads_and_writes");

  other.send(must(export_memory(shared.data())));
  const auto found = other.receive<import_result>();
  const bool saw_our_bytes = other.receive<bool>();
  other.receive<bool>();

  EXPECT_TRUE(saw_our_bytes);
  EXPECT_EQ(found.attributes.kind, memory_kind::device);
  EXPECT_EQ(found.attributes.size, size);
  EXPECT_EQ(found.attributes.base, found.start);
  EXPECT_EQ(contents_of(shared.data(), small), numbered(small, 2));
  EXPECT_EQ(contents_of(before), numbered(size, 3));
  EXPECT_EQ(contents_of(after), numbered(size, 4));
  other.send(true);
}

INSTANTIATE_TEST_SUITE_P(SmallAndLarge, Ipc, testing::Values(small, large));

TEST_F(Ipc, ImportKeepsDeviceNumber) {
  const buffer shared = device_holding(numbered(small, 1), second_device);
  second_process other("reads_and_writes");

  other.send(must(export_memory(shared.data())));

  EXPECT_EQ(other.receive<import_result>().attributes.device, second_device);
  other.receive<bool>();
  other.receive<bool>();
  other.send(true);
}

TEST_F(Ipc, WorksInIsolation) {
  ::setenv("CONVOY_ISOLATE", "1", 1);
  const buffer shared = device_holding(numbered(large, 1));
  second_process other("reads_and_writes");

  other.send(must(export_memory(shared.data())));
  other.receive<import_result>();

  EXPECT_TRUE(other.receive<bool>());
  other.receive<bool>();
  EXPECT_EQ(contents_of(shared.data(), small), numbered(small, 2));
  other.send(true);
  ::unsetenv("CONVOY_ISOLATE");
}

TEST_F(Ipc, RepeatedExportAnswersSameKey) {
  const buffer shared = device_holding(numbered(small));

  EXPECT_EQ(must(export_memory(shared.data())), must(export_memory(shared.data())));
}

TEST_F(Ipc, OnlyDeviceAllocationsAreExported) {
  const buffer device = device_holding(numbered(small));
  const buffer pinned = pinned_holding(numbered(small));
  bytes own = zeros(small);

  EXPECT_EQ(export_memory(device.data() + 1).error().code, errc::not_an_allocation);
  EXPECT_EQ(export_memory(pinned.data()).error().code, errc::not_an_allocation);
  EXPECT_EQ(export_memory(own.data()).error().code, errc::not_an_allocation);
  EXPECT_EQ(export_memory(nullptr).error().code, errc::null_pointer);
}

TEST_F(Ipc, ImportsAreCounted) {
  const buffer shared = device_holding(numbered(small));
  second_process other("imports_twice");

  other.send(must(export_memory(shared.data())));

  EXPECT_TRUE(other.receive<bool>());
  EXPECT_EQ(other.receive<errc>(), errc::not_an_allocation);
}

TEST_F(Ipc, ImportCannotBeFreedOrExported) {
  const buffer shared = device_holding(numbered(small));
  second_process other("misuses");

  other.send(must(export_memory(shared.data())));

  EXPECT_EQ(other.receive<errc>(), errc::not_an_allocation);
  EXPECT_EQ(other.receive<errc>(), errc::not_an_allocation);
}

TEST_F(Ipc, OnlyPermittedProcessesImport) {
  const buffer shared = device_holding(numbered(small));
  const ipc_key key = must(export_memory(shared.data(), importers::permitted));
  second_process other("imports");

  EXPECT_EQ(ask(other, key), errc::not_permitted);
  EXPECT_OK(permit(key, std::array{other.pid()}));
  EXPECT_EQ(ask(other, key), errc::ok);
  other.send(false);
}

TEST_F(Ipc, ExporterCannotImport) {
  const buffer shared = device_holding(numbered(small));

  EXPECT_EQ(import_outcome(must(export_memory(shared.data()))), errc::not_permitted);
}

TEST_F(Ipc, EndedExportIsDestroyedHandle) {
  buffer freed = device_holding(numbered(small));
  const buffer kept = device_holding(numbered(small));
  const ipc_key freed_key = must(export_memory(freed.data()));
  const ipc_key kept_key = must(export_memory(kept.data()));
  freed = {};
  EXPECT_OK(withdraw(kept_key));
  second_process other("imports");

  EXPECT_EQ(ask(other, freed_key), errc::destroyed_handle);
  EXPECT_EQ(ask(other, kept_key), errc::destroyed_handle);
  other.send(false);
}

TEST_F(Ipc, KeyEndsWithExporter) {
  second_process other("exports_and_leaves");
  const auto key = other.receive<ipc_key>();
  EXPECT_TRUE(other.ended_well());

  EXPECT_EQ(import_outcome(key), errc::destroyed_handle);
}

TEST_F(Ipc, UnknownKeyIsRefused) {
  const buffer shared = device_holding(numbered(small));
  ipc_key wrong = must(export_memory(shared.data()));
  wrong.bytes.back() ^= 1;
  second_process other("imports");

  EXPECT_EQ(ask(other, {}), errc::invalid_handle);
  EXPECT_EQ(ask(other, wrong), errc::invalid_handle);
  EXPECT_EQ(permit(wrong, {}).code, errc::invalid_handle);
  EXPECT_EQ(withdraw(wrong).code, errc::invalid_handle);
  other.send(false);
}

TEST_F(Ipc, ImporterDelaysReuseOfFreedMemory) {
  void* const shared = must(allocate(first_device, large));
  put(shared, numbered(small, 1));
  second_process other("reads_and_writes");
  other.send(must(export_memory(shared)));
  other.receive<import_result>();
  const std::size_t before = must(memory_stats_of(first_device)).free;

  EXPECT_OK(deallocate(shared));
  EXPECT_EQ(must(memory_stats_of(first_device)).free, before);
  EXPECT_TRUE(other.receive<bool>());
  other.receive<bool>();
  other.send(true);
  other.receive<bool>();
  EXPECT_EQ(must(memory_stats_of(first_device)).free, before + large);
}

TEST_F(Ipc, DeadImporterReleasesFreedMemory) {
  void* const shared = must(allocate(first_device, large));
  second_process other("reads_and_writes");
  other.send(must(export_memory(shared)));
  other.receive<import_result>();
  const std::size_t before = must(memory_stats_of(first_device)).free;

  EXPECT_OK(deallocate(shared));
  other.kill();

  EXPECT_EQ(must(memory_stats_of(first_device)).free, before + large);
}

TEST_F(Ipc, ExportDoesNotDisturbCopies) {
  const stream s = new_stream();
  const bytes wanted = numbered(large, 7);
  const buffer source = pinned_holding(wanted);
  const buffer neighbour = device_holding(numbered(small));
  const buffer shared = must(make_device_buffer(first_device, large));
  std::vector<copy> pieces;
  for (std::size_t at = 0; at != large; at += 4096) {
    pieces.push_back({shared.data() + at, source.data() + at, 4096});
  }

  for (int round = 0; round != 20; ++round) EXPECT_OK(submit(s, pieces).error());
  EXPECT_OK(export_memory(shared.data()).error());

  EXPECT_OK(s.synchronize());
  EXPECT_EQ(contents_of(shared), wanted);
  EXPECT_EQ(contents_of(neighbour), numbered(small));
}

class ClosedDescriptors : public own_process {};

// Closes every descriptor and gives their numbers to a file of the program's own.
int replace_descriptors() {
  ::close_range(3, ~0U, 0);
  const int own = ::memfd_create("own", 0);
  for (int number = 200; number != 220; ++number) ::dup2(own, number);
  return own;
}

off_t size_of(int file) { return ::lseek(file, 0, SEEK_END); }

TEST_F(ClosedDescriptors, ExportIsRefusedAndFilesUntouched) {
  EXPECT_EXIT(
      {
        const buffer first = device_holding(numbered(large));
        const buffer second = device_holding(numbered(large));
        EXPECT_OK(export_memory(first.data()));
        const int own = replace_descriptors();

        EXPECT_ANSWER(export_memory(second.data()), errc::not_permitted);
        EXPECT_ANSWER(export_memory(first.data()), errc::not_permitted);

        EXPECT_EQ(contents_of(first), numbered(large));
        end_well_if(!testing::Test::HasFailure() && size_of(own) == 0);
      },
      ended_well, "");
}

TEST_F(ClosedDescriptors, KeyIsRefused) {
  EXPECT_EXIT(
      {
        const buffer shared = device_holding(numbered(small));
        const ipc_key key = must(export_memory(shared.data()));
        ::close_range(3, ~0U, 0);
        second_process other("imports");
        for (int number = 200; number != 220; ++number) ::dup2(STDERR_FILENO, number);
        other.send(true);
        other.send(key);
        const errc answer = other.receive<errc>();
        other.send(false);
        end_well_if(answer == errc::invalid_handle || answer == errc::not_permitted);
      },
      ended_well, "");
}

}  // namespace
}  // namespace convoy
