// convoy info: the machine, the devices, the configuration, the installation.
#include <fmt/format.h>

#include <convoy/convoy.hpp>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "install_tree.hpp"
#include "machine.hpp"
#include "shared/device_identity.hpp"
#include "shared/failure.hpp"
#include "shared/terminal.hpp"
#include "verb.hpp"

namespace convoy::tools {
namespace {

struct installation_report {
  machine here = this_machine();
  install_tree tree = find_install_tree();
  std::vector<memory_stats> devices;
  std::vector<setting> settings;
  std::vector<std::string> warnings = warnings_about(here);
};

installation_report make_report() {
  installation_report report;
  const int devices = must(device_count());
  for (int i = 0; i != devices; ++i) report.devices.push_back(must(memory_stats_of(device_id{i})));
  report.settings = must(settings());
  for (const drop_in_library& each : report.tree.drop_in_libraries()) {
    if (each.present) continue;
    report.warnings.push_back(
        fmt::format("The {} drop-in library is not installed, so {} cannot run; build and install "
                    "all of Convoy.",
                    each.name, each.used_by));
  }
  return report;
}

// As the engine sees it: a program with raised privileges reads no variable.
bool is_set(std::string_view name) { return ::secure_getenv(std::string(name).c_str()) != nullptr; }

std::string capability_text() {
  const auto [major, minor] = must(compat::capability());
  return fmt::format("{}.{}", major, minor);
}

nlohmann::json as_json(const installation_report& report) {
  nlohmann::json all{{"version", CONVOY_VERSION}, {"machine", report.here}};
  for (std::size_t i = 0; i != report.devices.size(); ++i) {
    const device_id device{static_cast<int>(i)};
    all["devices"].push_back({{"device", i},
                              {"name", compat::device_name(device)},
                              {"uuid", compat::device_uuid_text(device)},
                              {"pci_bus_id", compat::pci_name(device, 8)},
                              {"capability", capability_text()},
                              {"memory_bytes", report.devices[i].total},
                              {"free_bytes", report.devices[i].free}});
  }
  for (const setting& each : report.settings) {
    all["settings"].push_back({{"name", each.name},
                               {"value", each.value},
                               {"set", is_set(each.name)},
                               {"source", each.source},
                               {"takes", each.accepts},
                               {"meaning", each.meaning}});
  }
  for (const drop_in_library& each : report.tree.drop_in_libraries()) {
    all["drop_in_libraries"].push_back(
        {{"name", each.name}, {"installed", each.present}, {"folder", each.folder.string()}});
  }
  all["library"] = report.tree.library.string();
  all["warnings"] = report.warnings;
  return all;
}

void print_machine(const machine& here, const terminal& out) {
  fmt::print("{}\n", out.bold("Machine"));
  fmt::print("  CPU          {}{}\n", here.processor, here.is_virtual ? ", virtual" : "");
  fmt::print("  CPUs         {} of {}, {} NUMA node{}\n", here.processors, here.installed,
             here.numa_nodes, here.numa_nodes == 1 ? "" : "s");
  fmt::print("  caches       L2 {} a core, L3 {}\n", size_text(here.l2), size_text(here.l3));
  fmt::print("  vectors      {}\n", here.vectors);
  fmt::print("  huge pages   {}\n", here.huge_pages);
  fmt::print("  memory       {}, {} available\n\n", size_text(here.memory),
             size_text(here.memory_left));
}

void print_all(const installation_report& report) {
  const terminal out;
  print_machine(report.here, out);
  fmt::print("{}\n", out.bold("Devices"));
  for (std::size_t i = 0; i != report.devices.size(); ++i) {
    const device_id device{static_cast<int>(i)};
    fmt::print("  device {:<5} {}, {} free, capability {}\n", i, size_text(report.devices[i].total),
               size_text(report.devices[i].free), capability_text());
    fmt::print("  {:<12} {}, {}, {}\n", "", compat::device_name(device),
               compat::device_uuid_text(device), compat::pci_name(device, 8));
  }
  fmt::print("\n{}\n", out.bold("Drop-in libraries"));
  for (const drop_in_library& each : report.tree.drop_in_libraries()) {
    fmt::print("  {:<12} {}\n", each.name,
               each.present ? out.good(each.folder.string()) : out.warning("not installed"));
  }
  fmt::print("  {:<12} {}\n", "engine", report.tree.library.string());
  fmt::print("\n{}\n", out.bold("Configuration (* set in the environment)"));
  for (const setting& each : report.settings) {
    fmt::print("{} {:<22} {:<14} {}\n", is_set(each.name) ? "*" : " ", each.name,
               each.value.empty() ? "-" : each.value, out.dim(each.meaning));
    fmt::print("  {:<22} {:<14} {}\n", "", "", out.dim(fmt::format("values: {}", each.accepts)));
    if (each.source == "environment" || each.source == "default") continue;
    fmt::print("  {:<22} {:<14} {}\n", "", "", out.dim(fmt::format("from the {}", each.source)));
  }
  if (!report.warnings.empty()) fmt::print("\n");
  for (const std::string& each : report.warnings) {
    fmt::print("{} {}\n", out.warning("warning:"), each);
  }
}

}  // namespace

void add_info(CLI::App& command, int& exit_code) {
  auto json = std::make_shared<bool>(false);
  CLI::App* const verb = command.add_subcommand(
      "info", "Show the machine, the devices, the configuration and the installation");
  verb->add_flag("--json", *json, "Print JSON");
  verb->callback([json, &exit_code] {
    const installation_report report = make_report();
    if (*json) {
      fmt::print("{}\n", as_json(report).dump(2));
    } else {
      print_all(report);
    }
    exit_code = 0;
  });
}

}  // namespace convoy::tools
