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

// A call that is refused, and what the sentence has to say about its cause.
struct refusal_case {
  const char* label;
  errc code;
  const char* cause;
  status (*call)();
};

class RefusalSentence : public testing::TestWithParam<refusal_case> {};

TEST_P(RefusalSentence, NamesTheCause) {
  const status refused = GetParam().call();

  EXPECT_EQ(refused.code, GetParam().code);
  EXPECT_THAT(explain(refused), HasSubstr(GetParam().cause));
}

constexpr device_id second_device{1};
constexpr device_id no_device{max_devices};

status record_elsewhere() {
  const stream s = must(make_stream(first_device));
  return record(s, must(make_event(second_device))).error();
}

status query_destroyed() {
  stream s = must(make_stream(first_device));
  const stream_ref old = s;
  s = stream();
  return old.query();
}

status submit_to_device(std::size_t bytes, std::size_t offset) {
  const stream s = must(make_stream(first_device));
  const buffer memory = must(make_device_buffer(first_device, 256));
  const std::vector<std::byte> host(512);
  return submit(s, copy{memory.data() + offset, host.data(), bytes}).error();
}

status pin_twice() {
  std::vector<std::byte> host(4096);
  EXPECT_OK(pin(host.data(), host.size()));
  const status again = pin(host.data(), host.size());
  EXPECT_OK(unpin(host.data()));
  return again;
}

constexpr refusal_case refusals_with_causes[] = {
    {"UnknownDevice", errc::invalid_device, "there is no such device",
     [] { return allocate(no_device, 1).error(); }},
    {"OwnPeer", errc::invalid_device, "or it is its own peer",
     [] { return device(first_device).enable_access(first_device); }},
    {"EventOfOtherDevice", errc::wrong_device, "belong to different devices", record_elsewhere},
    {"EventsOfTwoDevices", errc::wrong_device, "belong to different devices",
     [] {
       return elapsed(must(make_event(first_device)), must(make_event(second_device))).error();
     }},
    {"UnrecordedEvent", errc::not_recorded, "it was not recorded",
     [] { return time_of(must(make_event(first_device))).error(); }},
    {"UntimedEvent", errc::not_recorded, "has no timing",
     [] { return time_of(must(make_event(first_device, {.timing = false}))).error(); }},
    {"UnknownStream", errc::invalid_handle, "handle or key", [] { return stream_ref{}.query(); }},
    {"UnknownKey", errc::invalid_handle, "handle or key", [] { return import_memory({}).error(); }},
    {"DestroyedStream", errc::destroyed_handle, "was destroyed", query_destroyed},
    {"OrdinaryEventReset", errc::not_supported, "is not supported",
     [] { return reset(must(make_event(first_device))); }},
    {"CopyPastTheEnd", errc::leaves_allocation, "does not lie inside one allocation",
     [] { return submit_to_device(256, 1); }},
    {"CopyOutside", errc::not_an_allocation, "not in, or not at the start of, a live allocation",
     [] { return submit_to_device(1, 256); }},
    {"InteriorPointerFreed", errc::not_an_allocation, "not at the start of",
     [] { return deallocate(must(make_device_buffer(first_device, 256)).data() + 1); }},
    {"EmptyFunction", errc::null_pointer, "pointer or function is null",
     [] { return call(must(make_stream(first_device)), {}).error(); }},
    {"NoPointer", errc::null_pointer, "pointer or function is null",
     [] { return deallocate(nullptr); }},
    {"PinnedTwice", errc::already_registered, "overlaps registered memory", pin_twice},
    {"NoPeerAccess", errc::peer_access_not_enabled, "peer access is not enabled",
     [] { return device(first_device).disable_access(second_device); }},
};

INSTANTIATE_TEST_SUITE_P(All, RefusalSentence, testing::ValuesIn(refusals_with_causes),
                         [](const auto& test) { return test.param.label; });

}  // namespace
}  // namespace convoy::test
