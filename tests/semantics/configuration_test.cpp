#include <sys/resource.h>

#include <algorithm>
#include <convoy/convoy.hpp>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>
#include <thread>

#include "support/contents.hpp"
#include "support/own_process.hpp"
#include "support/unmapped_page.hpp"

namespace convoy {
namespace {

using namespace test;

class Configuration : public own_process {
 protected:
  static auto threads() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
  }

  // Starts Convoy with the variable set and prints its answer.
  [[noreturn]] static void start_with(const char* variable, const char* value) {
    ::setenv(variable, value, 1);
    const status answer = device_count().error();
    std::cerr << name(answer.code) << ": " << explain(answer) << std::endl;
    ::_exit(answer.ok() ? 0 : 3);
  }
};

TEST_F(Configuration, UnknownVariableListsKnownNames) {
  EXPECT_EXIT(start_with("CONVOY_DEVICE", "3"), testing::ExitedWithCode(3),
              "bad_configuration: CONVOY_DEVICE is not .*CONVOY_DEVICES.*CONVOY_WORKERS");
}

TEST_F(Configuration, UnknownValueListsAcceptedValues) {
  EXPECT_EXIT(start_with("CONVOY_ISOLATE", "yes"), testing::ExitedWithCode(3),
              "bad_configuration: CONVOY_ISOLATE is \"yes\"; it takes 0 or 1");
  EXPECT_EXIT(start_with("CONVOY_LOG", "all"), testing::ExitedWithCode(3),
              "it takes off, failures, summary or both");
  EXPECT_EXIT(start_with("CONVOY_CUDA_VERSION", "12.8"), testing::ExitedWithCode(3),
              "it takes 13.0, 13.1, 13.2, 13.3 or 13.4");
  EXPECT_EXIT(start_with("CONVOY_CUDA_CAPABILITY", "9"), testing::ExitedWithCode(3),
              "it takes 7.5, 8.0, 8.6, 8.9, 9.0, 10.0 or 12.0");
}

TEST_F(Configuration, NumbersOutOfRangeAreRefused) {
  EXPECT_EXIT(start_with("CONVOY_DEVICES", "0"), testing::ExitedWithCode(3), "from 1 to 64");
  EXPECT_EXIT(start_with("CONVOY_DEVICES", "65"), testing::ExitedWithCode(3), "from 1 to 64");
  EXPECT_EXIT(start_with("CONVOY_DEVICES", "2x"), testing::ExitedWithCode(3), "from 1 to 64");
  EXPECT_EXIT(start_with("CONVOY_WORKERS", ""), testing::ExitedWithCode(3), "from 1 to 1024");
  EXPECT_EXIT(start_with("CONVOY_DEVICE_MEMORY", "1P"), testing::ExitedWithCode(3), "K, M, G or T");
}

TEST_F(Configuration, VariablesWithoutPrefixAreIgnored) {
  EXPECT_EXIT(start_with("CONVOYS", "many"), ended_well, "");
}

TEST_F(Configuration, BadConfigurationFailsEveryCall) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_DEVICES", "none", 1);
        end_well_if(allocate_pinned(64).error().code == errc::bad_configuration &&
                    make_stream(first_device).error().code == errc::bad_configuration &&
                    device_count().error().code == errc::bad_configuration);
      },
      ended_well, "");
}

TEST_F(Configuration, DevicesVariableSetsDeviceCount) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_DEVICES", "5", 1);
        end_well_if(must(device_count()) == 5 && make_stream(device_id{4}).ok() &&
                    !make_stream(device_id{5}).ok());
      },
      ended_well, "");
}

TEST_F(Configuration, MemoryVariableSetsCapacityPerDevice) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_DEVICE_MEMORY", "3M", 1);
        const buffer all = must(make_device_buffer(first_device, 3U << 20));
        end_well_if(must(memory_stats_of(second_device)).total == 3U << 20 &&
                    allocate(first_device, 1).error().code == errc::out_of_memory &&
                    allocate(second_device, 1).ok());
      },
      ended_well, "");
}

// One more thread waits for host functions.
TEST_F(Configuration, WorkersVariableSetsThreadCount) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_WORKERS", "7", 1);
        // A sanitizer starts its own thread when the program starts its first.
        std::promise<void> never;
        std::thread other([&] { never.get_future().wait(); });
        const auto before = threads();
        const bytes large = numbered(9U << 20);
        end_well_if(contents_of(device_holding(large)) == large && threads() == before + 8);
      },
      ended_well, "");
}

TEST_F(Configuration, SettingsReportEffectiveValues) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_DEVICES", "3", 1);
        ::setenv("CONVOY_DEVICE_MEMORY", "4M", 1);
        const auto all = must(settings());
        end_well_if(all.size() >= 7 && all.front().name == "CONVOY_CUDA_CAPABILITY" &&
                    must(setting_value("CONVOY_DEVICES")) == "3" &&
                    must(setting_value("CONVOY_DEVICE_MEMORY")) == "4194304" &&
                    must(setting_value("CONVOY_WORKERS")) != "0" &&
                    must(setting_value("CONVOY_CUDA_CAPABILITY")) == "8.0" &&
                    must(setting_value("CONVOY_CUDA_VERSION")) == "13.2" &&
                    must(setting_value("CONVOY_SOC")) == "Ascend910B1" &&
                    setting_value("CONVOY_NONE").error().code == errc::invalid_argument);
      },
      ended_well, "");
}

TEST_F(Configuration, SettingsNameTheSource) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_DEVICES", "3", 1);
        const auto all = must(settings());
        const auto source_of = [&](std::string_view name) {
          return std::ranges::find(all, name, &setting::name)->source;
        };
        const std::string_view workers = source_of("CONVOY_WORKERS");
        end_well_if(source_of("CONVOY_DEVICES") == "environment" &&
                    source_of("CONVOY_SOC") == "default" &&
                    (workers == "CPU affinity" || workers == "cgroup CPU quota"));
      },
      ended_well, "");
}

TEST_F(Configuration, SetWorkersComeFromTheEnvironment) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_WORKERS", "3", 1);
        const auto all = must(settings());
        const auto workers = std::ranges::find(all, "CONVOY_WORKERS", &setting::name);
        end_well_if(workers->value == "3" && workers->source == "environment");
      },
      ended_well, "");
}

TEST_F(Configuration, LogSummaryPrintsTotalsAtExit) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_LOG", "summary", 1);
        contents_of(device_holding(numbered(1000)));
        std::exit(0);
      },
      ended_well, "convoy: 2 batches, 2 copies, .*queued.*copying");
}

TEST_F(Configuration, TraceRecordsEveryStep) {
  const auto file = std::filesystem::path(testing::TempDir()) / "of_a_step.trace";
  std::filesystem::remove(file);

  EXPECT_EXIT(
      {
        ::setenv("CONVOY_TRACE", file.c_str(), 1);
        contents_of(device_holding(numbered(1000)));
        std::exit(0);
      },
      ended_well, "");

  EXPECT_GT(std::filesystem::file_size(file), 0U);
  std::filesystem::remove(file);
}

TEST_F(Configuration, UnwritableTraceFileIsRefused) {
  EXPECT_EXIT(start_with("CONVOY_TRACE", "/nonexistent/a.trace"), testing::ExitedWithCode(3),
              "/nonexistent/a.trace\", which cannot be written");
}

TEST_F(Configuration, TraceReplacesEarlierFile) {
  const auto file = std::filesystem::path(testing::TempDir()) / "replaced.trace";
  const auto link = std::filesystem::path(testing::TempDir()) / "replaced.link";
  std::ofstream(file) << "earlier";
  std::filesystem::remove(link);
  std::filesystem::create_hard_link(file, link);

  EXPECT_EXIT(start_with("CONVOY_TRACE", file.c_str()), ended_well, "");

  EXPECT_GT(std::filesystem::file_size(file), 7U);
  EXPECT_EQ(std::filesystem::file_size(link), 7U);
  std::filesystem::remove(file);
  std::filesystem::remove(link);
}

TEST_F(Configuration, TraceFollowsNoLink) {
  const auto file = std::filesystem::path(testing::TempDir()) / "precious";
  const auto link = std::filesystem::path(testing::TempDir()) / "link.trace";
  std::ofstream(file) << "precious";
  std::filesystem::remove(link);
  std::filesystem::create_symlink(file, link);

  EXPECT_EXIT(start_with("CONVOY_TRACE", link.c_str()), testing::ExitedWithCode(3),
              "link.trace\", which is a symbolic link");

  EXPECT_EQ(std::filesystem::file_size(file), 8U);
  std::filesystem::remove(link);
  std::filesystem::remove(file);
}

TEST_F(Configuration, TruncatedTraceDoesNotEndProgram) {
  const auto file = std::filesystem::path(testing::TempDir()) / "truncated.trace";

  EXPECT_EXIT(
      {
        ::setenv("CONVOY_TRACE", file.c_str(), 1);
        contents_of(device_holding(numbered(1000)));
        std::filesystem::resize_file(file, 0);
        contents_of(device_holding(numbered(1000)));
        std::exit(0);
      },
      ended_well, "convoy: .* records of the trace .*another process has truncated it");

  std::filesystem::remove(file);
}

TEST_F(Configuration, FullDiskDoesNotEndProgram) {
  const auto file = std::filesystem::path(testing::TempDir()) / "full.trace";

  // A limit stands for a disk: it needs no privileges.
  EXPECT_EXIT(
      {
        rlimit small = {};
        small.rlim_cur = small.rlim_max = 16 << 10;
        ::setrlimit(RLIMIT_FSIZE, &small);
        ::setenv("CONVOY_TRACE", file.c_str(), 1);
        contents_of(device_holding(numbered(1000)));
        std::exit(0);
      },
      ended_well, "convoy: .* records of the trace .*limit of file sizes");

  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(Configuration, LogFailuresPrintsToStandardError) {
  EXPECT_EXIT(
      {
        ::setenv("CONVOY_LOG", "failures", 1);
        const stream s = new_stream();
        const unmapped_page unmapped;
        bytes own = zeros(64);
        end_well_if(copy_sync(s, {own.data(), unmapped.data(), 64}).code == errc::fault);
      },
      ended_well, "ticket 1, item 0: fault");
}

}  // namespace
}  // namespace convoy
