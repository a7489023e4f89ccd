#include <random>
#include <thread>

#include "support/cuda_kernels.hpp"

namespace convoy::test {
namespace {

constexpr const char* add = "_Z3addPii";                                  // add(int*, int)
constexpr const char* spin = "_ZN2at4cuda12_GLOBAL__N_111spin_kernelEl";  // spin_kernel(long)
constexpr const char* plain_spin = "at::cuda::(anonymous namespace)::spin_kernel(long)";

TEST(KernelNames, DemangledNameIsFound) {
  const counting_function function(plain_spin);

  EXPECT_EQ(launch(spin), cudaSuccess);

  EXPECT_EQ(function.launches(), 1);
}

TEST(KernelNames, PatternsMatchBothNames) {
  const counting_function inside("*spin_kernel*");
  const counting_function mangled("_Z3ad*");

  EXPECT_EQ(launch(spin), cudaSuccess);
  EXPECT_EQ(launch(add), cudaSuccess);

  EXPECT_EQ(inside.launches(), 1);
  EXPECT_EQ(mangled.launches(), 1);
}

TEST(KernelNames, MangledNameBeatsDemangledName) {
  const counting_function demangled(plain_spin);
  const counting_function mangled(spin);

  EXPECT_EQ(launch(spin), cudaSuccess);

  EXPECT_EQ(mangled.launches(), 1);
  EXPECT_EQ(demangled.launches(), 0);
}

TEST(KernelNames, DemangledNameBeatsPattern) {
  const counting_function pattern("*");
  const counting_function demangled(plain_spin);

  EXPECT_EQ(launch(spin), cudaSuccess);

  EXPECT_EQ(demangled.launches(), 1);
  EXPECT_EQ(pattern.launches(), 0);
}

TEST(KernelNames, FirstPatternWins) {
  const counting_function first("*spin*");
  const counting_function closer("*spin_kernel*");

  EXPECT_EQ(launch(spin), cudaSuccess);

  EXPECT_EQ(first.launches(), 1);
  EXPECT_EQ(closer.launches(), 0);
}

TEST(KernelNames, ReplacementKeepsItsPlace) {
  const counting_function first("*spin*");
  const counting_function second("*kernel*");
  const counting_function replacement("*spin*");

  EXPECT_EQ(launch(spin), cudaSuccess);

  EXPECT_EQ(replacement.launches(), 1);
  EXPECT_EQ(first.launches() + second.launches(), 0);
}

TEST(KernelNames, RemovalUncoversNextMatch) {
  const counting_function pattern("*");
  {
    const counting_function exact(spin);
    EXPECT_EQ(launch(spin), cudaSuccess);
    EXPECT_EQ(exact.launches(), 1);
  }

  EXPECT_EQ(launch(spin), cudaSuccess);

  EXPECT_EQ(pattern.launches(), 1);
}

TEST(KernelNames, LaterRegistrationIsUsed) {
  EXPECT_EQ(launch(spin), cudaErrorInvalidDeviceFunction);
  const counting_function function("*spin_kernel*");

  EXPECT_EQ(launch(spin), cudaSuccess);

  EXPECT_EQ(function.launches(), 1);
}

TEST(KernelNames, StarOfPointerIsPatternToo) {
  const counting_function function("add(int*, int)");

  EXPECT_EQ(launch(add), cudaSuccess);
  EXPECT_EQ(launch("_Z3addPPii"), cudaSuccess);  // add(int**, int)
  EXPECT_EQ(launch("_Z3addPli"), cudaErrorInvalidDeviceFunction);

  EXPECT_EQ(function.launches(), 2);
}

TEST(KernelNames, UnmangledNamesStayAsTheyAre) {
  const counting_function type("float");
  const counting_function function("f");

  EXPECT_EQ(launch("f"), cudaSuccess);

  EXPECT_EQ(function.launches(), 1);
  EXPECT_EQ(type.launches(), 0);
}

TEST(KernelNames, InvalidRegistrationsAreRefused) {
  const auto ignore = [](const convoy_kernel_launch*) {};
  const convoy_kernel_parameter short_pointer = {4, convoy_kernel_reads};
  const convoy_kernel_parameter unknown = {8, static_cast<convoy_kernel_access>(7)};
  const std::vector<convoy_kernel_parameter> large(2, {20'000, convoy_kernel_value});
  const std::vector<convoy_kernel> all = {{nullptr, ignore, nullptr, 0, nullptr, nullptr},
                                          {"", ignore, nullptr, 0, nullptr, nullptr},
                                          {"a", ignore, nullptr, 1, nullptr, nullptr},
                                          {"a", ignore, &unknown, 1, nullptr, nullptr},
                                          {"a", ignore, large.data(), 2, nullptr, nullptr},
                                          {"a", ignore, &short_pointer, 1, nullptr, nullptr}};

  for (const convoy_kernel& each : all) EXPECT_EQ(convoy_add_kernel(&each), cudaErrorInvalidValue);

  EXPECT_EQ(convoy_add_kernel(nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(launch("a"), cudaErrorInvalidDeviceFunction);
}

// The rule in its shortest form.
bool matches(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    return matches(pattern.substr(1), text) || (!text.empty() && matches(pattern, text.substr(1)));
  }
  return !text.empty() && pattern[0] == text[0] && matches(pattern.substr(1), text.substr(1));
}

std::string random_text(std::mt19937& random, std::string_view letters, std::size_t longest) {
  std::string made(1 + random() % longest, ' ');
  for (char& each : made) each = letters[random() % letters.size()];
  return made;
}

TEST(KernelNames, RandomPatternsFollowRule) {
  std::mt19937 random(1);
  int matched = 0;

  for (int i = 0; i != 3000; ++i) {
    const std::string pattern = random_text(random, "ab*", 6);
    const std::string name = random_text(random, "ab", 6);
    const counting_function function(pattern.c_str());
    const bool found = launch(name.c_str()) == cudaSuccess;
    ASSERT_EQ(found, matches(pattern, name)) << pattern << " and " << name;
    matched += found ? 1 : 0;
  }

  EXPECT_GT(matched, 100);
}

TEST(KernelNames, GarbageIsHarmless) {
  std::mt19937 random(2);
  std::string letters = "_ZNKPEISt*0123456789abc(<,>) \x01\x80\xFF";
  const std::string stars(2000, '*');
  const std::string deep = "_Z1f" + std::string(1 << 20, 'P') + "i";

  for (int i = 0; i != 1000; ++i) {
    const std::string name = "_Z" + random_text(random, letters, 80);
    const counting_function function(random_text(random, letters, 80).c_str());
    const counting_function exact(name.c_str());
    ASSERT_EQ(launch(name.c_str()), cudaSuccess);
    ASSERT_EQ(exact.launches(), 1);
  }

  const counting_function pattern((stars + "P" + stars + "i" + stars).c_str());
  EXPECT_EQ(launch(deep.c_str()), cudaSuccess);
  EXPECT_EQ(pattern.launches(), 1);
}

TEST(KernelNames, ThreadsMayRegisterAndLaunch) {
  const counting_function always("*always*");
  std::vector<std::thread> threads;

  for (int i = 0; i != 4; ++i) {
    threads.emplace_back([i] {
      const std::string name = "own" + std::to_string(i);
      for (int j = 0; j != 100; ++j) {
        const counting_function own((name + "*").c_str());
        EXPECT_EQ(launch((name + "_kernel").c_str()), cudaSuccess);
        EXPECT_EQ(launch("always_there"), cudaSuccess);
        EXPECT_EQ(own.launches(), 1);
      }
    });
  }
  for (std::thread& each : threads) each.join();

  EXPECT_EQ(always.launches(), 400);
}

}  // namespace
}  // namespace convoy::test
