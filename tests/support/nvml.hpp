// NVML for a test: initialised, with the handle of a device.
#pragma once

#include <gtest/gtest.h>
#include <nvml.h>

namespace convoy::test {

class nvml_fixture : public testing::Test {
 protected:
  nvml_fixture() { EXPECT_EQ(nvmlInit(), NVML_SUCCESS); }
  ~nvml_fixture() override { EXPECT_EQ(nvmlShutdown(), NVML_SUCCESS); }

  static nvmlDevice_t device(unsigned index) {
    nvmlDevice_t found = nullptr;
    EXPECT_EQ(nvmlDeviceGetHandleByIndex(index, &found), NVML_SUCCESS);
    return found;
  }
};

}  // namespace convoy::test
