#include "base/configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <convoy/ids.hpp>
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
  // The largest power of two that a word in the table of an area can hold as a size.
  constexpr std::uint64_t most = std::uint64_t{1} << 39;
  if (!value || *value == 0 || *value > (most >> shift)) return {};
  return static_cast<std::size_t>(*value << shift);
}

struct variable_help {
  std::string_view name;
  std::string_view accepts;
  std::string_view meaning;
};

struct variable {
  variable_help help;
  bool (*apply)(configuration& into, std::string_view value) = nullptr;
  std::string (*show)(const configuration& from) = nullptr;
  // Set instead of the functions for a variable whose value is one of the words in help.accepts.
  std::string configuration::*text_member = nullptr;
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

// True for one of the words of a list such as "a, b or c".
bool is_listed(std::string_view value, std::string_view list) {
  for (;;) {
    const auto end = std::min(list.find(", "), list.find(" or "));
    if (list.substr(0, end) == value) return true;
    if (end == std::string_view::npos) return false;
    list.remove_prefix(end + (list[end] == ',' ? 2 : 4));
  }
}

bool apply(const variable& to, configuration& into, std::string_view value) {
  if (to.text_member == nullptr) return to.apply(into, value);
  if (!is_listed(value, to.help.accepts)) return false;
  into.*to.text_member = value;
  return true;
}

bool apply_log(configuration& into, std::string_view value) {
  into.log_failures = value == "failures" || value == "both";
  into.log_summary = value == "summary" || value == "both";
  return into.log_failures || into.log_summary || value == "off";
}

std::string show_log(const configuration& from) {
  if (from.log_failures) return from.log_summary ? "both" : "failures";
  return from.log_summary ? "summary" : "off";
}

// A list of files and of the word skip. The ending of files is required, so that no typing error is
// taken for a file.
bool is_kernel_list(std::string_view text) {
  for (;;) {
    const auto end = text.find(':');
    const std::string_view each = text.substr(0, end);
    if (each != "skip" && !(each.size() > 3 && each.ends_with(".so"))) return false;
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 1);
  }
}

// Required, because a trace truncates its file: CONVOY_TRACE=1 or a typing error must not.
constexpr std::string_view trace_ending = ".trace";

static_assert(max_devices == 64);  // as the text of CONVOY_DEVICES says

constexpr variable variables_table[] = {
    {.help = {"CONVOY_CUDA_CAPABILITY", "7.5, 8.0, 8.6, 8.9, 9.0, 10.0 or 12.0",
              "the compute capability that CUDA programs see (8.0)"},
     .text_member = &configuration::cuda_capability},
    {.help = {"CONVOY_CUDA_VERSION", "13.0, 13.1, 13.2, 13.3 or 13.4",
              "the version of CUDA that CUDA programs see (13.2)"},
     .text_member = &configuration::cuda_version},
    {.help = {"CONVOY_DEVICES", "a number from 1 to 64", "number of devices (2)"},
     .apply = [](configuration& c,
                 std::string_view v) { return assign(c.devices, parse_count(v, 1, max_devices)); },
     .show = [](const configuration& c) { return fmt::to_string(c.devices); }},
    {.help = {"CONVOY_DEVICE_MEMORY", "bytes, with K, M, G or T, at most 512G",
              "memory of each device (half of the machine's memory, divided among the devices)"},
     .apply = [](configuration& c,
                 std::string_view v) { return assign(c.device_memory, parse_bytes(v)); },
     .show = [](const configuration& c) { return fmt::to_string(c.device_memory); }},
    {.help = {"CONVOY_ISOLATE", "0 or 1",
              "1: host code that accesses device memory gets SIGSEGV and a message on standard "
              "error (0)"},
     .apply = [](configuration& c,
                 std::string_view v) { return assign_word(c.isolate, v, "0", "1"); },
     .show = [](const configuration& c) { return std::string(c.isolate ? "1" : "0"); }},
    {.help = {"CONVOY_KERNELS", "files, ending in .so, and the word skip, separated by colons",
              "the files are plug-ins with host functions for CUDA kernels; skip: launches of "
              "kernels without one do nothing, else they fail (none)"},
     .apply =
         [](configuration& c, std::string_view v) {
           c.kernels = v;
           return is_kernel_list(v);
         },
     .show = [](const configuration& c) { return c.kernels; }},
    {.help =
         {"CONVOY_LOG", "off, failures, summary or both",
          "failures: a line on standard error for each failed step; summary: at exit, totals and "
          "times of all copies (off)"},
     .apply = apply_log,
     .show = show_log},
    {.help = {"CONVOY_RUN_MODE", "ep or rc",
              "run mode of AscendCL programs: ep on the host, rc on the device (ep)"},
     .text_member = &configuration::run_mode},
    {.help = {"CONVOY_SOC",
              "Ascend950PR_9599, Ascend910_9391, Ascend910_9392, Ascend910B1, Ascend910B2, "
              "Ascend910B3, Ascend910B4, Ascend310B1, Ascend310B4, Ascend310P1, Ascend310P3 or "
              "Ascend910A",
              "the SoC model that AscendCL programs see (Ascend910B1)"},
     .text_member = &configuration::soc},
    {.help = {"CONVOY_TORCH", "on or off",
              "off: PyTorch under convoy run copies, but its operators do not compute (on)"},
     .apply = [](configuration& c,
                 std::string_view v) { return assign_word(c.torch, v, "off", "on"); },
     .show = [](const configuration& c) { return std::string(c.torch ? "on" : "off"); }},
    {.help = {"CONVOY_TRACE", "the name of a file, ending in .trace",
              "records every step in that file; %p stands for the PID (none)"},
     .apply =
         [](configuration& c, std::string_view v) {
           c.trace = v;
           return v.size() > trace_ending.size() && v.ends_with(trace_ending);
         },
     .show = [](const configuration& c) { return c.trace; }},
    {.help = {"CONVOY_WORKERS", "a number from 1 to 1024",
              "number of threads that copy (one fewer than there are CPUs that the process may "
              "use)"},
     .apply = [](configuration& c,
                 std::string_view v) { return assign(c.workers, parse_count(v, 1, 1024)); },
     .show = [](const configuration& c) { return fmt::to_string(c.workers); }},
};

std::string_view source_of(std::string_view name, const configuration& config) {
  if (std::ranges::find(config.set, name) != config.set.end()) return "environment";
  const bool counts_cpus = name == "CONVOY_WORKERS" && !config.cpus_from.empty();
  return counts_cpus ? config.cpus_from : "default";
}

std::string unknown(std::string_view name) {
  std::string known;
  for (const variable& each : variables_table) {
    known += fmt::format("{}{}", known.empty() ? "" : ", ", each.help.name);
  }
  return fmt::format("{} is not a variable of Convoy; the variables are {}", name, known);
}

}  // namespace

std::variant<configuration, std::string> read_configuration(const environment& variables) {
  configuration made;
  for (const auto& [name, value] : variables) {
    const auto* const known = std::ranges::find_if(
        variables_table, [&name = name](const variable& v) { return v.help.name == name; });
    if (known == std::end(variables_table)) return unknown(name);
    if (!apply(*known, made, value)) {
      return fmt::format("{} is \"{}\"; it takes {}", name, value, known->help.accepts);
    }
    made.set.push_back(known->help.name);
  }
  return made;
}

std::vector<resolved_variable> resolved_variables(const configuration& config) {
  std::vector<resolved_variable> all;
  for (const auto& [help, apply, show, text_member] : variables_table) {
    all.push_back({help.name, help.accepts, help.meaning,
                   text_member != nullptr ? config.*text_member : show(config),
                   source_of(help.name, config)});
  }
  return all;
}

}  // namespace convoy
