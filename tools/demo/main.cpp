// The demonstration: offloads a quarter of a paged KV cache to host memory and restores it, block
// by block in random order. Every byte is checked, and the time is compared with two baselines.
#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "measure.hpp"
#include "os/process.hpp"
#include "shared/failure.hpp"
#include "shared/terminal.hpp"
#include "table.hpp"

namespace {

using namespace convoy::tools;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

struct options {
  bool quick = false;
  bool corrupt = false;
  bool known = true;
  std::string json;  // file for the rows; empty: none
};

options parse_options(int count, char** arguments) {
  options found;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--json" && i + 1 < count) {
      found.json = arguments[++i];
      continue;
    }
    found.quick |= argument == "--quick";
    found.corrupt |= argument == "--spoil";
    found.known &= argument == "--quick" || argument == "--spoil";
  }
  return found;
}

std::size_t number_in(const char* file, std::size_t otherwise) {
  std::size_t value = 0;
  return std::ifstream(file) >> value ? value : otherwise;
}

std::size_t available_in_machine() {
  std::ifstream lines("/proc/meminfo");
  for (std::string name; lines >> name;) {
    std::size_t kibibytes = 0;
    if (name == "MemAvailable:" && lines >> kibibytes) return kibibytes * 1024;
  }
  return SIZE_MAX;
}

std::size_t available_in_cgroup() {
  const std::size_t most = number_in("/sys/fs/cgroup/memory.max", SIZE_MAX);
  const std::size_t used = number_in("/sys/fs/cgroup/memory.current", 0);
  return most > used ? most - used : 0;
}

// There are three caches, each with a store. Half of the available memory stays free.
std::size_t cache_bytes(std::size_t wanted) {
  const std::size_t fits = std::min(available_in_machine(), available_in_cgroup()) / 8;
  const std::size_t device = must(convoy::memory_stats_of(convoy::device_id{0})).free;
  return std::max(std::min({wanted, fits, device}) / mebibyte, std::size_t{8}) * mebibyte;
}

// A warning when other processes use the CPUs as well.
std::string busy_text(int processors) {
  double load = 0;
  if (::getloadavg(&load, 1) != 1 || load < processors) return "";
  return fmt::format(
      "Other processes kept this machine busy (load {:.1f}): the ratios are inaccurate.\n", load);
}

void demonstrate(const options& chosen) {
  const std::size_t bytes = cache_bytes((chosen.quick ? 16 : 512) * mebibyte);
  const int processors = convoy::os::cpu_count();
  const std::string busy = busy_text(processors);
  const effort spent = chosen.quick ? effort{1, 1, seconds(0)} : effort{};
  const terminal out;
  fmt::print(
      "A paged KV cache of {} on a device. A quarter of its blocks are offloaded to host memory "
      "and\n"
      "restored to other pages, in random order, one batch each way, on {} CPUs.\n\n",
      size_text(bytes), processors);

  measurement measured(bytes, spent);
  if (chosen.corrupt) measured.corrupt();
  std::vector<row> rows;
  for (const std::size_t block : {1024, 4096, 16 << 10, 64 << 10, 256 << 10}) {
    const std::string label = fmt::format("{:>8}", size_text(block));
    const auto show = [&](double fraction) { out.show_progress(label + " ", fraction); };
    show(0);
    rows.push_back(measured.measure(block, show));
    out.clear_progress();
    const auto rounds = rows.back().rounds;
    fmt::print("{}  every byte right in {} round{}\n", label, rounds, rounds == 1 ? "" : "s");
    std::fflush(stdout);
  }
  if (!chosen.json.empty()) write_json(chosen.json, rows, processors);
  fmt::print("\n{}\n{}", table_text(rows, out),
             chosen.quick ? "A quick run checks the bytes; its times are meaningless.\n"
                          : meaning_text(rows, processors) + busy);
}

}  // namespace

int main(int count, char** arguments) {
  const options chosen = parse_options(count, arguments);
  if (!chosen.known) {
    std::fputs("Usage: convoy_demo [--quick] [--spoil] [--json FILE]\n", stderr);
    return 2;
  }
  try {
    demonstrate(chosen);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "\nconvoy_demo: %s\n", problem.what());
    return 1;
  }
}
