#include <array>
#include <convoy/convoy.hpp>

#include "support/contents.hpp"
#include "support/key_mutations.hpp"
#include "support/open_descriptors.hpp"
#include "support/own_process.hpp"
#include "support/second_process.hpp"
#include "support/stress_options.hpp"

namespace convoy {
namespace {

using namespace test;

constexpr std::size_t small = 1000;
constexpr std::size_t large = 3U << 20;

struct exported_keys {
  std::array<ipc_key, 3> memory;
  std::array<ipc_key, 2> events;
};

// Sends keys of memory and events, and ends on request.
const role exports("exports", [](message_pipe& parent) {
  const std::array memory{device_holding(numbered(small, 1)), device_holding(numbered(large, 2)),
                          device_holding(numbered(small, 3), second_device)};
  const auto make_shared_event = [] {
    return must(make_event(first_device, {.timing = false, .interprocess = true}));
  };
  const std::array events{make_shared_event(), make_shared_event()};
  exported_keys keys;
  for (std::size_t i = 0; i != memory.size(); ++i) {
    keys.memory[i] = must(export_memory(memory[i].data()));
  }
  for (std::size_t i = 0; i != events.size(); ++i) keys.events[i] = must(export_event(events[i]));
  parent.send(keys);
  parent.receive<bool>();
});

std::vector<key_mutations::key> all_of(const exported_keys& keys) {
  std::vector<key_mutations::key> all;
  for (const ipc_key& each : keys.memory) all.push_back(to_key(each));
  for (const ipc_key& each : keys.events) all.push_back(to_key(each));
  return all;
}

bool is_refusal(errc code) {
  return code == errc::invalid_handle || code == errc::destroyed_handle ||
         code == errc::not_permitted;
}

class IpcKeys : public own_process {
 protected:
  IpcKeys() : live_("exports"), keys_(live_.receive<exported_keys>()) {
    second_process dead("exports");
    dead_keys_ = dead.receive<exported_keys>();
    dead.send(true);
  }
  ~IpcKeys() override { live_.send(true); }

  second_process live_;
  const exported_keys keys_;
  exported_keys dead_keys_;
};

TEST_F(IpcKeys, MutantsAreRefused) {
  key_mutations mutants(all_of(keys_), all_of(dead_keys_), from_environment("STRESS_SEED", 1));
  static_cast<void>(device_count());
  const auto descriptors = open_descriptors();

  const std::uint64_t count = from_environment("STRESS_KEYS", 5000);
  for (std::uint64_t i = 0; i != count; ++i) {
    const auto mutant = from_key<ipc_key>(mutants.next());
    ASSERT_TRUE(is_refusal(import_memory(mutant).error().code)) << "mutant " << i;
    ASSERT_TRUE(is_refusal(import_event(mutant, first_device).error().code)) << "mutant " << i;
  }

  EXPECT_EQ(open_descriptors(), descriptors);
  EXPECT_EQ(contents_of(must(import_memory(keys_.memory[1])).start, large), numbered(large, 2));
  EXPECT_OK(must(import_event(keys_.events[1], first_device)).query());
}

TEST_F(IpcKeys, KeysOfOtherKindAreRefused) {
  for (const ipc_key& each : keys_.events) EXPECT_ANSWER(import_memory(each), errc::invalid_handle);
  for (const ipc_key& each : keys_.memory) {
    EXPECT_ANSWER(import_event(each, first_device), errc::invalid_handle);
  }
}

TEST_F(IpcKeys, KeysOfDeadExporterAreRefused) {
  for (const ipc_key& each : dead_keys_.memory) {
    EXPECT_ANSWER(import_memory(each), errc::destroyed_handle);
  }
  for (const ipc_key& each : dead_keys_.events) {
    EXPECT_ANSWER(import_event(each, first_device), errc::destroyed_handle);
  }
}

}  // namespace
}  // namespace convoy
