#include "base/configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace convoy {
namespace {

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

std::optional<int> parse_count(std::string_view text, int least, int most) {
  const auto value = parse_number(text);
  if (!value || *value < static_cast<std::uint64_t>(least) ||
      *value > static_cast<std::uint64_t>(most)) {
    return {};
  }
  return static_cast<int>(*value);
}

// A number of bytes, with K, M, G or T for powers of 1024.
std::optional<std::size_t> parse_bytes(std::string_view text) {
  constexpr std::string_view units = "KMGT";
  unsigned shift = 0;
  if (!text.empty()) {
    if (const auto unit = units.find(text.back()); unit != std::string_view::npos) {
      shift = 10 * (static_cast<unsigned>(unit) + 1);
      text.remove_suffix(1);
    }
  }
  const auto value = parse_number(text);
  constexpr std::uint64_t most = std::uint64_t{1} << 39;  // what a table word can tell apart
  if (!value || *value == 0 || *value > (most >> shift)) return {};
  return static_cast<std::size_t>(*value << shift);
}

struct variable {
  variable_help help;
  bool (*apply)(configuration& into, std::string_view value);
};

template <class T, class U>
bool assign(T& into, const std::optional<U>& value) {
  if (value) into = *value;
  return value.has_value();
}

bool assign_word(bool& into, std::string_view value, std::string_view no, std::string_view yes) {
  into = value == yes;
  return value == no || value == yes;
}

const std::vector<variable>& variables_table() {
  static const std::vector<variable> table{
      {{"CONVOY_DEVICES", "a number from 1 to 64", "devices there are (2)"},
       [](configuration& c, std::string_view v) {
         return assign(c.devices, parse_count(v, 1, 64));
       }},
      {{"CONVOY_DEVICE_MEMORY", "bytes, with K, M, G or T, at most 512G",
        "memory of each device (half of the machine's, shared out)"},
       [](configuration& c, std::string_view v) {
         return assign(c.device_memory, parse_bytes(v));
       }},
      {{"CONVOY_ISOLATE", "0 or 1",
        "1: host code that touches device memory is stopped and told (0)"},
       [](configuration& c, std::string_view v) { return assign_word(c.isolate, v, "0", "1"); }},
      {{"CONVOY_LOG", "off or failures",
        "failures: a line on standard error for each failed step (off)"},
       [](configuration& c, std::string_view v) {
         return assign_word(c.log_failures, v, "off", "failures");
       }},
      {{"CONVOY_WORKERS", "a number from 1 to 1024",
        "threads that copy (one fewer than there are processors)"},
       [](configuration& c, std::string_view v) {
         return assign(c.workers, parse_count(v, 1, 1024));
       }},
  };
  return table;
}

std::string unknown(std::string_view name) {
  std::string known;
  for (const variable& each : variables_table()) {
    known += fmt::format("{}{}", known.empty() ? "" : ", ", each.help.name);
  }
  return fmt::format("{} is not a variable Convoy knows; it knows {}", name, known);
}

}  // namespace

std::variant<configuration, std::string> read_configuration(const environment& variables) {
  configuration made;
  for (const auto& [name, value] : variables) {
    const auto& table = variables_table();
    const auto known = std::find_if(table.begin(), table.end(), [&name = name](const variable& v) {
      return v.help.name == name;
    });
    if (known == table.end()) return unknown(name);
    if (!known->apply(made, value)) {
      return fmt::format("{} is \"{}\"; it takes {}", name, value, known->help.takes);
    }
  }
  return made;
}

const std::vector<variable_help>& known_variables() {
  static const std::vector<variable_help> known = [] {
    std::vector<variable_help> all;
    for (const variable& each : variables_table()) all.push_back(each.help);
    return all;
  }();
  return known;
}

}  // namespace convoy
