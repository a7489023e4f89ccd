#include "table.hpp"

#include <fmt/format.h>

#include <cmath>

#include "shared/atomic_file.hpp"

namespace convoy::tools {
namespace {

double mean(std::span<const row> rows, double row::*value) {
  double product = 1;
  for (const row& r : rows) product *= r.*value;
  return std::pow(product, 1.0 / static_cast<double>(rows.size()));
}

}  // namespace

std::string table_text(std::span<const row> rows, const terminal& out) {
  constexpr double giga = 1e9;
  std::string text = out.bold(
      "   block    blocks    offload    restore    against a     of what this\n"
      "    size     moved       GB/s       GB/s  memcpy loop  machine can do\n");
  for (const row& r : rows) {
    text += fmt::format("{:>8}  {:>8}  {:>9.2f}  {:>9.2f}  {:>9.2f} x  {:>12.0f} %\n",
                        size_text(r.block_bytes), r.blocks, r.offload_rate / giga,
                        r.restore_rate / giga, r.over_memcpy, r.of_limit * 100);
  }
  return text;
}

std::string meaning_text(std::span<const row> rows, int processors) {
  return fmt::format(
      "On average Convoy moved the scattered blocks {:.1f} times as fast as a memcpy loop, and at\n"
      "{:.0f} % of the most that the {} CPUs of this machine can copy, measured with the copy "
      "kernels\n"
      "alone. Every byte was right.\n",
      mean(rows, &row::over_memcpy), mean(rows, &row::of_limit) * 100, processors);
}

void write_json(const std::string& file, std::span<const row> rows, int processors) {
  std::string results;
  for (const row& r : rows) {
    results += fmt::format(
        R"({}{{"bytes":{},"count":{},"gbps":{},"ratio_to_limit":{},"ratio_to_memcpy":{}}})",
        results.empty() ? "" : ",", r.block_bytes, r.blocks,
        2 / (1 / r.offload_rate + 1 / r.restore_rate) / 1e9, r.of_limit, r.over_memcpy);
  }
  write_file(
      file,
      fmt::format(
          R"({{"machine":{{"processor":"a paged KV cache, offloaded and restored","processors":{},"vectors":"every byte checked"}},"results":[{}]}})",
          processors, results));
}

}  // namespace convoy::tools
