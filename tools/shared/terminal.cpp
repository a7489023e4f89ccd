#include "shared/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>

#include "shared/failure.hpp"

namespace convoy::tools {
namespace {

constexpr std::string_view line_start = "\r\x1b[K";  // clears the line

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

terminal::terminal(output to)
    : to_error_(to == output::error),
      terminal_(::isatty(to_error_ ? STDERR_FILENO : STDOUT_FILENO) == 1 &&
                variable("TERM") != "dumb"),
      colours_(terminal_ && variable("NO_COLOR").empty()) {}

std::string terminal::coloured(std::string_view text, std::string_view colour) const {
  return colours_ ? fmt::format("\x1b[{}m{}\x1b[0m", colour, text) : std::string(text);
}

void terminal::show_progress(std::string_view label, double fraction) const {
  if (!terminal_) return;
  constexpr int width = 40;
  fraction = std::clamp(fraction, 0.0, 1.0);
  const int filled = static_cast<int>(fraction * width);
  std::FILE* const to = to_error_ ? stderr : stdout;
  fmt::print(to, "{}{} [{}{:.<{}}] {:3.0f} %", line_start, label,
             good(fmt::format("{:#<{}}", "", filled)), "", width - filled, fraction * 100);
  std::fflush(to);
}

void terminal::clear_progress() const {
  if (!terminal_) return;
  fmt::print(to_error_ ? stderr : stdout, "{}", line_start);
  std::fflush(to_error_ ? stderr : stdout);
}

std::string size_text(std::size_t bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 != units.size(); ++unit) value /= 1024;
  const bool whole = value == static_cast<double>(static_cast<std::size_t>(value));
  return whole ? fmt::format("{:.0f} {}", value, units[unit])
               : fmt::format("{:.1f} {}", value, units[unit]);
}

std::string time_text(double nanoseconds) {
  if (nanoseconds < 1e3) return fmt::format("{:.0f} ns", nanoseconds);
  if (nanoseconds < 1e6) return fmt::format("{:.1f} us", nanoseconds / 1e3);
  if (nanoseconds < 1e9) return fmt::format("{:.1f} ms", nanoseconds / 1e6);
  return fmt::format("{:.2f} s", nanoseconds / 1e9);
}

std::size_t parse_size(const std::string& text) {
  std::size_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, value);
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  constexpr std::string_view units = "KMG";
  const std::size_t power = unit.empty() ? 0 : units.find(unit.front()) + 1;
  const bool known = unit.empty() || (power != 0 && (unit.size() == 1 || unit.substr(1) == "iB"));
  if (problem != std::errc{} || !known || value == 0 || value > (std::size_t{1} << 34)) {
    throw failure(fmt::format("\"{}\" is not a size; use a number such as 4096, 64K or 1M", text));
  }
  return value << (10 * power);
}

}  // namespace convoy::tools
