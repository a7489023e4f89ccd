#include "os/pages.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>

namespace convoy::os {
namespace {

// A folder that holds the files of a system.
class AvailableMemory : public testing::Test {
 protected:
  AvailableMemory() { std::filesystem::create_directories(root_ / "proc"); }
  ~AvailableMemory() override { std::filesystem::remove_all(root_); }

  std::size_t with(const char* text) {
    std::ofstream(root_ / "proc/meminfo") << text;
    return available_memory(root_.string());
  }

  const std::filesystem::path root_ = std::filesystem::temp_directory_path() /
                                      ("convoy_available_memory_" + std::to_string(::getpid()));
};

TEST_F(AvailableMemory, IsThatOfMeminfo) {
  EXPECT_EQ(with("MemTotal: 24105 kB\nMemFree:  17 kB\nMemAvailable:   20 kB\nBuffers: 1 kB\n"),
            20U * 1024);
}

TEST_F(AvailableMemory, IsUnlimitedWhereUnknown) {
  EXPECT_EQ(available_memory(root_.string()), SIZE_MAX);
  EXPECT_EQ(with("MemTotal: 24105 kB\n"), SIZE_MAX);
  EXPECT_EQ(with("MemAvailable: many kB\n"), SIZE_MAX);
}

TEST_F(AvailableMemory, IsLessThanMachineHas) { EXPECT_LT(available_memory(), physical_memory()); }

}  // namespace
}  // namespace convoy::os
