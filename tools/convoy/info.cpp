// convoy info: the machine, the devices, the configuration, the installation.
#include <fmt/format.h>

#include <convoy/convoy.hpp>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "failure.hpp"
#include "install_tree.hpp"
#include "machine.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace convoy::cli {
namespace {

struct findings {
  machine here = this_machine();
  install_tree tree = find_install_tree();
  std::vector<memory_stats> devices;
  std::vector<setting> settings;
  std::vector<std::string> warnings = warnings_about(here);
};

findings look_around() {
  findings found;
  const int devices = must(device_count());
  for (int i = 0; i != devices; ++i) found.devices.push_back(must(memory_stats_of(device_id{i})));
  found.settings = must(settings());
  for (const front_door& each : found.tree.doors()) {
    if (each.present) continue;
    found.warnings.push_back(fmt::format(
        "The {} door is not installed, so {} cannot run; build and install all of Convoy.",
        each.name, each.serves));
  }
  return found;
}

bool is_set(std::string_view name) { return std::getenv(std::string(name).c_str()) != nullptr; }

nlohmann::json as_json(const findings& found) {
  nlohmann::json all{{"version", CONVOY_VERSION}, {"machine", found.here}};
  for (std::size_t i = 0; i != found.devices.size(); ++i) {
    all["devices"].push_back({{"device", i},
                              {"memory_bytes", found.devices[i].total},
                              {"free_bytes", found.devices[i].free}});
  }
  for (const setting& each : found.settings) {
    all["settings"].push_back({{"name", each.name},
                               {"value", each.value},
                               {"set", is_set(each.name)},
                               {"takes", each.accepts},
                               {"meaning", each.meaning}});
  }
  for (const front_door& each : found.tree.doors()) {
    all["doors"].push_back(
        {{"name", each.name}, {"installed", each.present}, {"folder", each.folder.string()}});
  }
  all["library"] = found.tree.library.string();
  all["warnings"] = found.warnings;
  return all;
}

void print_machine(const machine& here, const terminal& out) {
  fmt::print("{}\n", out.bold("Machine"));
  fmt::print("  processor    {}{}\n", here.processor, here.is_virtual ? ", virtual" : "");
  fmt::print("  processors   {} of {}, {} NUMA node{}\n", here.processors, here.installed,
             here.numa_nodes, here.numa_nodes == 1 ? "" : "s");
  fmt::print("  caches       L2 {} a core, L3 {}\n", size_text(here.l2), size_text(here.l3));
  fmt::print("  copies with  {}\n", here.vectors);
  fmt::print("  huge pages   {}\n", here.huge_pages);
  fmt::print("  memory       {}, {} left\n\n", size_text(here.memory), size_text(here.memory_left));
}

void print_all(const findings& found) {
  const terminal out;
  print_machine(found.here, out);
  fmt::print("{}\n", out.bold("Devices"));
  for (std::size_t i = 0; i != found.devices.size(); ++i) {
    fmt::print("  device {}     {}, {} free\n", i, size_text(found.devices[i].total),
               size_text(found.devices[i].free));
  }
  fmt::print("\n{}\n", out.bold("Front doors"));
  for (const front_door& each : found.tree.doors()) {
    fmt::print("  {:<12} {}\n", each.name,
               each.present ? out.good(each.folder.string()) : out.warning("not installed"));
  }
  fmt::print("  {:<12} {}\n", "engine", found.tree.library.string());
  fmt::print("\n{}\n", out.bold("Configuration (* set in the environment)"));
  for (const setting& each : found.settings) {
    fmt::print("{} {:<21} {:<14} {}\n", is_set(each.name) ? "*" : " ", each.name,
               each.value.empty() ? "-" : each.value, out.dim(each.meaning));
    fmt::print("  {:<21} {:<14} {}\n", "", "", out.dim(fmt::format("takes {}", each.accepts)));
  }
  if (!found.warnings.empty()) fmt::print("\n");
  for (const std::string& each : found.warnings) {
    fmt::print("{} {}\n", out.warning("warning:"), each);
  }
}

}  // namespace

void add_info(CLI::App& command, int& exit_code) {
  auto json = std::make_shared<bool>(false);
  CLI::App* const verb = command.add_subcommand(
      "info", "Show the machine, the devices, the configuration and the installation");
  verb->add_flag("--json", *json, "For machines");
  verb->callback([json, &exit_code] {
    const findings found = look_around();
    if (*json) {
      fmt::print("{}\n", as_json(found).dump(2));
    } else {
      print_all(found);
    }
    exit_code = 0;
  });
}

}  // namespace convoy::cli
