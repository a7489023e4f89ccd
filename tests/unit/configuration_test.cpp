#include "base/configuration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <variant>

#include "os/environment.hpp"

namespace convoy {
namespace {

using testing::HasSubstr;

configuration read(const environment& variables) {
  return std::get<configuration>(read_configuration(variables));
}

std::string problem(const environment& variables) {
  const auto found = read_configuration(variables);
  const auto* const text = std::get_if<std::string>(&found);
  return text == nullptr ? "" : *text;
}

TEST(Configuration, HasDefaults) {
  const configuration made = read({});

  EXPECT_EQ(made.devices, 2);
  EXPECT_EQ(made.device_memory, 0U);
  EXPECT_EQ(made.workers, 0);
  EXPECT_FALSE(made.isolate);
  EXPECT_FALSE(made.log_failures);
}

TEST(Configuration, TakesEveryVariable) {
  const configuration made = read({{"CONVOY_CUDA_CAPABILITY", "12.0"},
                                   {"CONVOY_CUDA_VERSION", "13.4"},
                                   {"CONVOY_DEVICES", "8"},
                                   {"CONVOY_DEVICE_MEMORY", "3G"},
                                   {"CONVOY_WORKERS", "12"},
                                   {"CONVOY_ISOLATE", "1"},
                                   {"CONVOY_KERNELS", "plug.so:skip"},
                                   {"CONVOY_LOG", "both"},
                                   {"CONVOY_TRACE", "/tmp/%p.trace"},
                                   {"CONVOY_SOC", "Ascend310P3"},
                                   {"CONVOY_RUN_MODE", "rc"}});

  EXPECT_EQ(made.cuda_capability, "12.0");
  EXPECT_EQ(made.cuda_version, "13.4");
  EXPECT_EQ(made.devices, 8);
  EXPECT_EQ(made.device_memory, std::size_t{3} << 30);
  EXPECT_EQ(made.workers, 12);
  EXPECT_TRUE(made.isolate);
  EXPECT_EQ(made.kernels, "plug.so:skip");
  EXPECT_TRUE(made.log_failures);
  EXPECT_TRUE(made.log_summary);
  EXPECT_EQ(made.trace, "/tmp/%p.trace");
  EXPECT_EQ(made.soc, "Ascend310P3");
  EXPECT_EQ(made.run_mode, "rc");
}

TEST(Configuration, TakesBytesInEveryUnit) {
  const auto bytes = [](const char* text) {
    return read({{"CONVOY_DEVICE_MEMORY", text}}).device_memory;
  };

  EXPECT_EQ(bytes("12345"), 12345U);
  EXPECT_EQ(bytes("2K"), 2048U);
  EXPECT_EQ(bytes("5M"), std::size_t{5} << 20);
  EXPECT_EQ(bytes("512G"), std::size_t{1} << 39);
}

struct bad_value {
  const char* name;
  const char* value;
};

class BadValue : public testing::TestWithParam<bad_value> {};

TEST_P(BadValue, ErrorNamesAcceptedValues) {
  const auto [name, value] = GetParam();

  const std::string text = problem({{name, value}});

  EXPECT_THAT(text, HasSubstr(name));
  EXPECT_THAT(text, HasSubstr(std::string("\"") + value + '"'));
  EXPECT_THAT(text, HasSubstr("it takes"));
}

INSTANTIATE_TEST_SUITE_P(
    EveryVariable, BadValue,
    testing::Values(
        bad_value{"CONVOY_CUDA_CAPABILITY", "9"}, bad_value{"CONVOY_CUDA_CAPABILITY", ""},
        bad_value{"CONVOY_CUDA_CAPABILITY", "8.0 "}, bad_value{"CONVOY_CUDA_VERSION", "12.9"},
        bad_value{"CONVOY_CUDA_VERSION", "13"}, bad_value{"CONVOY_CUDA_VERSION", ""},
        bad_value{"CONVOY_DEVICES", "0"}, bad_value{"CONVOY_DEVICES", "65"},
        bad_value{"CONVOY_DEVICES", "-1"}, bad_value{"CONVOY_DEVICES", "two"},
        bad_value{"CONVOY_DEVICES", ""}, bad_value{"CONVOY_DEVICES", "2 "},
        bad_value{"CONVOY_DEVICES", "99999999999999999999"}, bad_value{"CONVOY_DEVICE_MEMORY", "0"},
        bad_value{"CONVOY_DEVICE_MEMORY", ""}, bad_value{"CONVOY_DEVICE_MEMORY", "G"},
        bad_value{"CONVOY_DEVICE_MEMORY", "1X"}, bad_value{"CONVOY_DEVICE_MEMORY", "1.5G"},
        bad_value{"CONVOY_DEVICE_MEMORY", "513G"}, bad_value{"CONVOY_DEVICE_MEMORY", "1T"},
        bad_value{"CONVOY_DEVICE_MEMORY", "18446744073709551615T"},
        bad_value{"CONVOY_WORKERS", "0"}, bad_value{"CONVOY_WORKERS", "1025"},
        bad_value{"CONVOY_ISOLATE", "yes"}, bad_value{"CONVOY_ISOLATE", ""},
        bad_value{"CONVOY_KERNELS", ""}, bad_value{"CONVOY_KERNELS", "a.so:"},
        bad_value{"CONVOY_KERNELS", ":skip"}, bad_value{"CONVOY_KERNELS", "a.so::b.so"},
        bad_value{"CONVOY_KERNELS", "skip:skipp"}, bad_value{"CONVOY_KERNELS", ".so"},
        bad_value{"CONVOY_SOC", "Ascend910"}, bad_value{"CONVOY_SOC", "or"},
        bad_value{"CONVOY_SOC", ""}, bad_value{"CONVOY_RUN_MODE", "EP"},
        bad_value{"CONVOY_TRACE", "1"}, bad_value{"CONVOY_TRACE", ".trace"},
        bad_value{"CONVOY_LOG", "all"}, bad_value{"CONVOY_LOG", ""}));

TEST(Configuration, UnknownVariableErrorListsKnownOnes) {
  const std::string text = problem({{"CONVOY_DEVICE", "2"}});

  EXPECT_THAT(text, HasSubstr("CONVOY_DEVICE is not"));
  for (const resolved_variable& each : resolved_variables({})) {
    EXPECT_THAT(text, HasSubstr(std::string(each.name)));
  }
}

TEST(Configuration, ExplainsEveryVariableItTakes) {
  for (const resolved_variable& each : resolved_variables({})) {
    EXPECT_FALSE(each.accepts.empty()) << each.name;
    EXPECT_FALSE(each.meaning.empty()) << each.name;
    EXPECT_THAT(problem({{std::string(each.name), "nonsense"}}),
                HasSubstr(std::string(each.accepts)));
  }
}

TEST(Environment, VariablesAreFoundByPrefix) {
  ::setenv("CONVOY_DEVICES", "3", 1);

  EXPECT_THAT(os::variables("CONVOY_", false),
              testing::Contains(testing::Pair("CONVOY_DEVICES", "3")));
  ::unsetenv("CONVOY_DEVICES");
}

TEST(Environment, SecureExecutionReadsNoVariable) {
  ::setenv("CONVOY_TRACE", "/tmp/a.trace", 1);

  EXPECT_THAT(os::variables("CONVOY_", true), testing::IsEmpty());
  ::unsetenv("CONVOY_TRACE");
}

}  // namespace
}  // namespace convoy
