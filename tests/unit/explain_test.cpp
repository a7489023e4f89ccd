#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <convoy/convoy.hpp>
#include <string>
#include <vector>

#include "support/outcome.hpp"
#include "support/second_process.hpp"

namespace convoy::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr device_id first_device{0};

std::vector<errc> every_code() {
  std::vector<errc> all;
  for (int code = 0; code <= static_cast<int>(errc::out_of_threads); ++code) {
    all.push_back(errc(code));
  }
  return all;
}

// The codes that several calls answer about different objects: their sentence names none of them.
void expect_names_no_object(const status& outcome, errc code) {
  EXPECT_EQ(outcome.code, code);
  const std::string text = explain(outcome);
  for (const char* object : {"stream", "event", "memory", "import", "export"}) {
    EXPECT_THAT(text, Not(HasSubstr(object)));
  }
}

const role importer("importer", [](message_pipe& first) {
  first.send(import_memory(first.receive<ipc_key>()).error().code);
});

TEST(Explain, HasOneSentencePerCode) {
  for (const errc code : every_code()) {
    const std::string text = explain({code});
    EXPECT_FALSE(text.empty()) << name(code);
    EXPECT_THAT(text, Not(HasSubstr("unknown"))) << name(code);
    EXPECT_NE(text.back(), '.') << name(code);
    EXPECT_EQ(text.find('\n'), std::string::npos) << name(code);
  }
}

TEST(Explain, SideWithoutAddressIsALabel) {
  EXPECT_THAT(explain({errc::null_pointer, copy_side::source, 3}),
              testing::StartsWith("item 3: source: a required pointer"));
}

TEST(NotPermitted, DefaultStreamCannotBeDestroyed) {
  expect_names_no_object(destroy(must(device(first_device).default_stream())), errc::not_permitted);
}

TEST(NotPermitted, ThreadStreamCannotBeDestroyed) {
  expect_names_no_object(destroy(must(device(first_device).thread_stream())), errc::not_permitted);
}

TEST(NotPermitted, ProcessCannotImportItsOwnMemory) {
  void* const start = must(allocate(first_device, 256));
  const ipc_key key = must(export_memory(start));
  expect_names_no_object(import_memory(key).error(), errc::not_permitted);
  EXPECT_OK(deallocate(start));
}

TEST(NotPermitted, ProcessCannotImportItsOwnEvent) {
  const event shared = must(make_event(first_device, {.interprocess = true}));
  const ipc_key key = must(export_event(shared));
  expect_names_no_object(import_event(key, first_device).error(), errc::not_permitted);
}

TEST(NotPermitted, EventWithoutInterprocessCannotBeExported) {
  const event local = must(make_event(first_device));
  expect_names_no_object(export_event(local).error(), errc::not_permitted);
}

TEST(NotPermitted, ProcessWithoutPermissionCannotImport) {
  void* const start = must(allocate(first_device, 256));
  second_process other("importer");
  other.send(must(export_memory(start, importers::permitted)));
  expect_names_no_object({other.receive<errc>()}, errc::not_permitted);
  EXPECT_TRUE(other.ended_well());
  EXPECT_OK(deallocate(start));
}

// Codes that calls answer for several reasons: the sentence is true for each of them.
TEST(WrongLocation, HostDescriptorNamesNoAttribute) {
  const stream s = must(make_stream(first_device));
  const std::vector<std::byte> host(64);
  const status refused = copy_indirect(s, host.data(), descriptor_layout{}).error();
  EXPECT_EQ(refused.code, errc::wrong_location);
  EXPECT_THAT(explain(refused), HasSubstr("pageable host memory"));
  EXPECT_THAT(explain(refused), HasSubstr("that the call or its attributes require"));
}

TEST(NotAnAllocation, ExportOfPinnedMemoryIsExplained) {
  void* const pinned = must(allocate_pinned(256));
  const status refused = export_memory(pinned).error();
  EXPECT_EQ(refused.code, errc::not_an_allocation);
  EXPECT_THAT(explain(refused), HasSubstr("pinned host memory"));
  EXPECT_THAT(explain(refused), HasSubstr("that the call accepts"));
  EXPECT_OK(deallocate(pinned));
}

TEST(OutOfMemory, AmountsPlaceAndVariableAreExplained) {
  const memory_stats stats = must(memory_stats_of(device_id{1}));
  const status refused = allocate(device_id{1}, stats.total + 1).error();
  EXPECT_EQ(refused.code, errc::out_of_memory);
  EXPECT_EQ(explain(refused),
            std::to_string(stats.total + 1) + " bytes of memory of device 1 were asked for, " +
                std::to_string(stats.free) + " of " + std::to_string(stats.total) +
                " are free; CONVOY_DEVICE_MEMORY sets the size of a device");
  const status pinned = allocate_pinned(std::size_t{1} << 60).error();
  EXPECT_THAT(explain(pinned), HasSubstr("pinned host memory were asked for"));
  EXPECT_THAT(explain(pinned), HasSubstr("the limit is the memory of the machine"));
}

TEST(AlreadyRegistered, MemoryOfConvoyIsExplained) {
  void* const pinned = must(allocate_pinned(256));
  EXPECT_THAT(explain(pin(pinned, 256)), HasSubstr("memory that Convoy allocated"));
  EXPECT_OK(deallocate(pinned));
}

}  // namespace
}  // namespace convoy::test
