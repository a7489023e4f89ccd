#include <acl/acl.h>

#include <array>

#include "support/cuda.hpp"
#include "support/key_mutations.hpp"
#include "support/open_descriptors.hpp"
#include "support/own_process.hpp"
#include "support/second_process.hpp"
#include "support/stress_options.hpp"

namespace convoy::test {
namespace {

constexpr std::size_t size = 5000;
constexpr std::size_t key_bytes = 32;  // of a CUDA handle; the rest has no meaning
constexpr std::size_t key_digits = 64;
using key_text = std::array<char, key_digits + 1>;

struct exported_keys {
  std::array<cudaIpcMemHandle_t, 2> memory;
  std::array<cudaIpcEventHandle_t, 2> events;
  std::array<key_text, 2> texts;
};

// Sends keys of memory and events of both front ends, and ends on request.
const role exports("front_ends_export", [](message_pipe& parent) {
  EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  const std::array<cuda_memory, 2> memory{cuda_memory(memory_kind::device, numbered(size, 1)),
                                          cuda_memory(memory_kind::device, numbered(size, 2))};
  const std::array<cuda_event, 2> events{
      cuda_event(cudaEventInterprocess | cudaEventDisableTiming),
      cuda_event(cudaEventInterprocess | cudaEventDisableTiming)};
  exported_keys keys;
  for (std::size_t i = 0; i != memory.size(); ++i) {
    EXPECT_EQ(cudaIpcGetMemHandle(&keys.memory[i], memory[i].data()), cudaSuccess);
    EXPECT_EQ(cudaIpcGetEventHandle(&keys.events[i], events[i]), cudaSuccess);
    EXPECT_EQ(
        aclrtIpcMemGetExportKey(memory[i].data(), size, keys.texts[i].data(), keys.texts[i].size(),
                                ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION),
        ACL_SUCCESS);
  }
  parent.send(keys);
  parent.receive<bool>();
});

std::vector<key_mutations::key> handles_of(const exported_keys& keys) {
  std::vector<key_mutations::key> all;
  for (const auto& each : keys.memory) all.push_back(to_key(each, key_bytes));
  for (const auto& each : keys.events) all.push_back(to_key(each, key_bytes));
  return all;
}

std::vector<key_mutations::key> texts_of(const exported_keys& keys) {
  std::vector<key_mutations::key> all;
  for (const auto& each : keys.texts) all.push_back(to_key(each, key_digits));
  return all;
}

bool is_refusal(cudaError_t code) {
  return code == cudaErrorInvalidValue || code == cudaErrorDeviceUninitialized;
}
bool is_refusal(aclError code) {
  return code == ACL_ERROR_RT_PARAM_INVALID || code == ACL_ERROR_RT_NO_PERMISSION;
}

class FrontEndKeys : public own_process {
 protected:
  FrontEndKeys() : live_("front_ends_export"), keys_(live_.receive<exported_keys>()) {
    EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
    EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    descriptors_ = open_descriptors();
    second_process dead("front_ends_export");
    dead_keys_ = dead.receive<exported_keys>();
    dead.send(true);
  }
  ~FrontEndKeys() override { live_.send(true); }

  const std::uint64_t seed_ = from_environment("STRESS_SEED", 1);
  const std::uint64_t count_ = from_environment("STRESS_KEYS", 3000);
  second_process live_;
  const exported_keys keys_;
  exported_keys dead_keys_;
  std::ptrdiff_t descriptors_ = 0;
  void* memory_ = nullptr;
};

TEST_F(FrontEndKeys, MutantHandlesAreRefused) {
  key_mutations mutants(handles_of(keys_), handles_of(dead_keys_), seed_);
  cudaEvent_t event = nullptr;

  for (std::uint64_t i = 0; i != count_; ++i) {
    const auto mutant = mutants.next();
    const auto memory = from_key<cudaIpcMemHandle_t>(mutant);
    ASSERT_TRUE(is_refusal(cudaIpcOpenMemHandle(&memory_, memory, 1))) << "mutant " << i;
    const auto handle = from_key<cudaIpcEventHandle_t>(mutant);
    ASSERT_TRUE(is_refusal(cudaIpcOpenEventHandle(&event, handle))) << "mutant " << i;
  }

  EXPECT_EQ(open_descriptors(), descriptors_);
  EXPECT_EQ(cudaIpcOpenEventHandle(&event, keys_.events[0]), cudaSuccess);
  EXPECT_EQ(cudaIpcOpenMemHandle(&memory_, keys_.memory[1], 1), cudaSuccess);
  EXPECT_EQ(contents_of(memory_, size), numbered(size, 2));
}

TEST_F(FrontEndKeys, MutantAscendHandlesAreRefused) {
  key_mutations mutants(handles_of(keys_), handles_of(dead_keys_), seed_);
  aclrtEvent event = nullptr;

  for (std::uint64_t i = 0; i != count_; ++i) {
    const auto mutant = from_key<aclrtIpcEventHandle>(mutants.next());
    ASSERT_EQ(aclrtIpcOpenEventHandle(mutant, &event), ACL_ERROR_RT_IPC_ERROR) << "mutant " << i;
  }

  EXPECT_EQ(open_descriptors(), descriptors_);
}

TEST_F(FrontEndKeys, MutantTextsAreRefused) {
  key_mutations mutants(texts_of(keys_), texts_of(dead_keys_), seed_);

  for (std::uint64_t i = 0; i != count_; ++i) {
    const auto mutant = from_key<key_text>(mutants.next());
    ASSERT_TRUE(is_refusal(aclrtIpcMemImportByKey(&memory_, mutant.data(), 0))) << mutant.data();
  }

  EXPECT_EQ(open_descriptors(), descriptors_);
  EXPECT_EQ(aclrtIpcMemImportByKey(&memory_, keys_.texts[1].data(), 0), ACL_SUCCESS);
  EXPECT_EQ(contents_of(memory_, size), numbered(size, 2));
}

}  // namespace
}  // namespace convoy::test
