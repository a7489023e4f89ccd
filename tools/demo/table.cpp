#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace convoy::demo {
namespace {

// "1.4" or "1.4 to 1.9", as far as the digits shown tell them apart.
std::string spread(std::span<const row> rows, double row::*value, double factor, int digits) {
  const auto [least, most] = std::ranges::minmax(rows, {}, value);
  const std::string from = fmt::format("{:.{}f}", least.*value * factor, digits);
  const std::string to = fmt::format("{:.{}f}", most.*value * factor, digits);
  return from == to ? from : fmt::format("{} to {}", from, to);
}

}  // namespace

std::string size_text(std::size_t bytes) {
  constexpr std::size_t kib = 1024;
  if (bytes >= kib * kib) return fmt::format("{} MiB", bytes / kib / kib);
  return fmt::format("{} KiB", bytes / kib);
}

std::string table_text(std::span<const row> rows, const screen& shown_on) {
  constexpr double giga = 1e9;
  std::string text = shown_on.bold(
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
      "Blocks of {} to {}, scattered over the cache, left and came back {} times as fast as\n"
      "by a memcpy loop, at {} % of the most that {} processors of this machine can copy\n"
      "(the bare copy kernels on all of them, with nothing around). Every byte was right.\n",
      size_text(rows.front().block_bytes), size_text(rows.back().block_bytes),
      spread(rows, &row::over_memcpy, 1, 1), spread(rows, &row::of_limit, 100, 0), processors);
}

}  // namespace convoy::demo
