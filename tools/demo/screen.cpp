#include "screen.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace convoy::demo {
namespace {

constexpr int width = 40;
constexpr std::string_view line_start = "\r\x1b[K";  // and whatever the line held is gone

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

screen::screen()
    : terminal_(::isatty(STDOUT_FILENO) == 1 && variable("TERM") != "dumb"),
      colours_(terminal_ && variable("NO_COLOR").empty()) {}

void screen::show(std::string_view label, double part) {
  if (!terminal_) return;
  const int filled = static_cast<int>(std::clamp(part, 0.0, 1.0) * width);
  fmt::print("{}{:>8}  [{}{:.<{}}] {:3.0f} %", line_start, label,
             green(fmt::format("{:#<{}}", "", filled)), "", width - filled,
             std::clamp(part, 0.0, 1.0) * 100);
  std::fflush(stdout);
}

void screen::finish(std::string_view label, std::string_view outcome) {
  fmt::print("{}{:>8}  {}\n", terminal_ ? line_start : "", label, outcome);
  std::fflush(stdout);
}

std::string screen::painted(std::string_view text, std::string_view colour) const {
  return colours_ ? fmt::format("\x1b[{}m{}\x1b[0m", colour, text) : std::string(text);
}

}  // namespace convoy::demo
