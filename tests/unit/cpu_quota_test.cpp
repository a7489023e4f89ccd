#include "os/cpu_quota.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace convoy::os {
namespace {

// A folder that holds the files of a system.
class CpuQuota : public testing::Test {
 protected:
  CpuQuota()
      : root_(std::filesystem::temp_directory_path() /
              ("convoy_cpu_quota_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(root_);
  }
  ~CpuQuota() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    const auto file = std::filesystem::path(root_.string() + path);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
  }

  void mount_v2(const std::string& top = "/") {
    write("/proc/self/mountinfo",
          "24 30 0:21 / /proc rw,nosuid shared:5 - proc proc rw\n30 23 0:26 " + top +
              " /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw");
  }
  void mount_v1(const std::string& top = "/") {
    write("/proc/self/mountinfo",
          "33 32 0:29 " + top + " /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n34 32 0:30 " +
              top + " /sys/fs/cgroup/cpu,cpuacct rw shared:10 - cgroup cgroup rw,cpu,cpuacct");
  }
  void write_v1(const std::string& cgroup, const std::string& quota, const std::string& period) {
    write("/sys/fs/cgroup/cpu,cpuacct" + cgroup + "/cpu.cfs_quota_us", quota);
    write("/sys/fs/cgroup/cpu,cpuacct" + cgroup + "/cpu.cfs_period_us", period);
  }

  [[nodiscard]] std::optional<double> quota() const { return cgroup_cpu_quota(root_.string()); }

  const std::filesystem::path root_;
};

TEST_F(CpuQuota, NoneWithoutFiles) { EXPECT_EQ(quota(), std::nullopt); }

TEST_F(CpuQuota, ReadsCpuMax) {
  mount_v2();
  write("/proc/self/cgroup", "0::/service");
  write("/sys/fs/cgroup/service/cpu.max", "150000 100000");

  EXPECT_EQ(quota(), 1.5);
}

TEST_F(CpuQuota, MaxIsNoQuota) {
  mount_v2();
  write("/proc/self/cgroup", "0::/service");
  write("/sys/fs/cgroup/service/cpu.max", "max 100000");

  EXPECT_EQ(quota(), std::nullopt);
}

TEST_F(CpuQuota, SmallestOfAllAncestorsCounts) {
  mount_v2();
  write("/proc/self/cgroup", "0::/outer/middle/inner");
  write("/sys/fs/cgroup/outer/middle/inner/cpu.max", "max 100000");
  write("/sys/fs/cgroup/outer/middle/cpu.max", "800000 100000");
  write("/sys/fs/cgroup/outer/cpu.max", "200000 50000");

  EXPECT_EQ(quota(), 4);
}

TEST_F(CpuQuota, MountPointMayHaveQuota) {
  mount_v2();
  write("/proc/self/cgroup", "0::/");
  write("/sys/fs/cgroup/cpu.max", "300000 100000");

  EXPECT_EQ(quota(), 3);
}

TEST_F(CpuQuota, MountOfSubtreeIsFollowed) {
  mount_v2("/docker/4f1d");
  write("/proc/self/cgroup", "0::/docker/4f1d/inner");
  write("/sys/fs/cgroup/cpu.max", "300000 100000");
  write("/sys/fs/cgroup/inner/cpu.max", "200000 100000");

  EXPECT_EQ(quota(), 2);
}

TEST_F(CpuQuota, CgroupOutsideMountUsesMountPoint) {
  mount_v2();
  write("/proc/self/cgroup", "0::/../other");
  write("/sys/fs/cgroup/cpu.max", "300000 100000");
  write("/sys/fs/other/cpu.max", "100000 100000");

  EXPECT_EQ(quota(), 3);
}

TEST_F(CpuQuota, ReadsVersion1) {
  mount_v1();
  write("/proc/self/cgroup", "3:cpuset:/other\n2:cpu,cpuacct:/slice/service\n0::/");
  write_v1("/slice/service", "-1", "100000");
  write_v1("/slice", "250000", "100000");
  write_v1("", "-1", "100000");

  EXPECT_EQ(quota(), 2.5);
}

TEST_F(CpuQuota, Version1WithoutQuotaHasNone) {
  mount_v1();
  write("/proc/self/cgroup", "2:cpu,cpuacct:/");
  write_v1("", "-1", "100000");

  EXPECT_EQ(quota(), std::nullopt);
}

TEST_F(CpuQuota, MountPointMayContainASpace) {
  write("/proc/self/mountinfo", R"(30 23 0:26 / /my\040groups rw - cgroup2 cgroup2 rw)");
  write("/proc/self/cgroup", "0::/");
  write("/my groups/cpu.max", "100000 100000");

  EXPECT_EQ(quota(), 1);
}

TEST_F(CpuQuota, DamagedFilesAreNoQuota) {
  mount_v2();
  write("/proc/self/cgroup", "0::/service\n:\n\nno colon");
  write("/sys/fs/cgroup/service/cpu.max", "-5 0");
  write("/sys/fs/cgroup/cpu.max", "");

  EXPECT_EQ(quota(), std::nullopt);
}

TEST(UsableCpus, SmallerLimitCounts) {
  const auto is = [](usable_cpus found, int count, cpu_limit limit) {
    return found.count == count && found.limit == limit;
  };

  EXPECT_TRUE(is(usable_cpus_of(64, {}), 64, cpu_limit::affinity));
  EXPECT_TRUE(is(usable_cpus_of(64, 2.0), 2, cpu_limit::cgroup_quota));
  EXPECT_TRUE(is(usable_cpus_of(64, 1.5), 2, cpu_limit::cgroup_quota));
  EXPECT_TRUE(is(usable_cpus_of(64, 0.1), 1, cpu_limit::cgroup_quota));
  EXPECT_TRUE(is(usable_cpus_of(2, 2.0), 2, cpu_limit::affinity));
  EXPECT_TRUE(is(usable_cpus_of(2, 64.0), 2, cpu_limit::affinity));
}

TEST(UsableCpus, AtLeastOneInThisProcess) { EXPECT_GE(count_usable_cpus().count, 1); }

}  // namespace
}  // namespace convoy::os
