// convoy run: runs a program on the drop-in libraries and modules.
#include <fmt/format.h>

#include <convoy/ids.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "child.hpp"
#include "loaded_libraries.hpp"
#include "shared/failure.hpp"
#include "temporary_folder.hpp"
#include "verb.hpp"

namespace convoy::tools {
namespace {

namespace fs = std::filesystem;

struct run_options {
  std::optional<int> devices;
  std::string soc;
  std::vector<std::string> kernels;
  bool isolate = false;
  bool verbose = false;
  std::vector<std::string> command;
};

// The value of CONVOY_KERNELS, with paths that stay valid when the program changes its folder.
std::string kernels_setting(const std::vector<std::string>& given) {
  std::string joined;
  for (const std::string& each : given) {
    const std::string path = each == "skip" ? each : fs::absolute(each).string();
    if (each != "skip" && !(path.ends_with(".so") && fs::is_regular_file(path))) {
      throw failure(fmt::format(
          "there is no plug-in {}; --kernels takes a file that ends in .so, or skip", each));
    }
    if (path.find(':') != std::string::npos) {
      throw failure(fmt::format("the path of a plug-in cannot contain a colon: {}", path));
    }
    joined += (joined.empty() ? "" : ":") + path;
  }
  return joined;
}

launch launch_for(const run_options& options, const install_tree& tree) {
  launch made{checked_command(options.command), library_environment(tree)};
  if (options.devices)
    made.environment.emplace_back("CONVOY_DEVICES", std::to_string(*options.devices));
  if (!options.soc.empty()) made.environment.emplace_back("CONVOY_SOC", options.soc);
  if (!options.kernels.empty())
    made.environment.emplace_back("CONVOY_KERNELS", kernels_setting(options.kernels));
  if (options.isolate) made.environment.emplace_back("CONVOY_ISOLATE", "1");
  return made;
}

int run_and_report(launch program, const install_tree& tree) {
  int wait_status = 0;
  {
    const temporary_folder folder;
    const fs::path report = folder.path() / "loaded";
    std::ofstream(report).close();
    program.environment.emplace_back(load_report_variable, report);
    for (const drop_in_library& each : tree.drop_in_libraries()) {
      fmt::print(stderr, "convoy: {} drop-in library: {}\n", each.name,
                 each.present ? each.folder.string() : "not installed");
    }
    wait_status = run_child(program);
    const std::vector<loaded_process> loaded = read_load_report(report);
    if (loaded.empty()) {
      fmt::print(stderr, "convoy: the program loaded none of the libraries that Convoy replaces\n");
    }
    for (const std::string& each : describe(loaded, tree)) fmt::print(stderr, "convoy: {}\n", each);
  }
  exit_like(wait_status);
}

int run(const run_options& options) {
  const install_tree tree = find_install_tree();
  const launch program = launch_for(options, tree);
  if (const std::string why = replacement_obstacle(program.command.front(), tree); !why.empty()) {
    fmt::print(stderr, "convoy: {}\n", why);
  }
  if (options.verbose) return run_and_report(program, tree);
  exec_program(program);
}

}  // namespace

void add_run(CLI::App& command, int& exit_code) {
  auto options = std::make_shared<run_options>();
  CLI::App* const verb =
      command.add_subcommand("run", "Run a program or Python script on Convoy's libraries");
  verb->add_option("--devices", options->devices, "Number of devices")
      ->check(CLI::Range(1, max_devices))
      ->type_name("N");
  verb->add_option("--soc", options->soc, "Ascend model name")->type_name("NAME");
  verb->add_option("--kernels", options->kernels,
                   "Plug-in with host functions for kernels, or skip; may be repeated")
      ->allow_extra_args(false)
      ->type_name("FILE|skip");
  verb->add_flag("--isolate", options->isolate, "Fault when host code accesses device memory");
  verb->add_flag("-v,--verbose", options->verbose, "Print which libraries each process loaded");
  verb->add_option("PROGRAM", options->command, "The program and its arguments, after --")
      ->required()
      ->type_name("PROGRAM ARGS...");
  verb->positionals_at_end();
  verb->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace convoy::tools
