// convoy run: runs a program with the drop-in libraries and modules first on its paths.
#include <fmt/format.h>

#include <convoy/ids.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "child.hpp"
#include "shared/terminal.hpp"
#include "temporary_folder.hpp"
#include "verb.hpp"

namespace convoy::tools {
namespace {

namespace fs = std::filesystem;

struct run_options {
  std::optional<int> devices;
  std::string soc;
  bool isolate = false;
  bool verbose = false;
  std::vector<std::string> command;
};

launch launch_for(const run_options& options, const install_tree& tree) {
  launch made{checked_command(options.command), library_environment(tree)};
  if (options.devices)
    made.environment.emplace_back("CONVOY_DEVICES", std::to_string(*options.devices));
  if (!options.soc.empty()) made.environment.emplace_back("CONVOY_SOC", options.soc);
  if (options.isolate) made.environment.emplace_back("CONVOY_ISOLATE", "1");
  return made;
}

bool is_replaced_library(const std::string& name) {
  for (const char* each :
       {"libcudart.so", "libcuda.so", "libascendcl.so", "libacl_rt.so", "libconvoy.so"}) {
    if (name.starts_with(each)) return true;
  }
  return name.starts_with("_native.") || name.starts_with("acl.");
}

// The libraries that the dynamic linker loaded in any of the processes: file name and path.
std::map<std::string, fs::path> loaded_libraries(const fs::path& folder) {
  std::map<std::string, fs::path> loaded;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::ifstream lines(entry.path());
    for (std::string line; std::getline(lines, line);) {
      constexpr std::string_view mark = "calling init: ";
      const auto at = line.find(mark);
      if (at == std::string::npos) continue;
      const fs::path file = line.substr(at + mark.size());
      if (is_replaced_library(file.filename())) loaded[file.filename()] = file;
    }
  }
  return loaded;
}

void print_libraries(const std::map<std::string, fs::path>& loaded, const install_tree& tree) {
  const terminal out(output::error);
  if (loaded.empty()) {
    fmt::print(stderr, "convoy: the program loaded none of the libraries that Convoy replaces\n");
  }
  for (const auto& [name, file] : loaded) {
    const fs::path folder = file.parent_path();
    const bool ours = folder == tree.ascend.folder || folder == tree.cuda.folder ||
                      fs::weakly_canonical(folder) == tree.library.parent_path() ||
                      folder.string().starts_with(tree.python.folder.string());
    fmt::print(stderr, "convoy: {:<18} {}{}\n", name, file.string(),
               ours ? "" : out.warning("  (not Convoy's: the program has a fixed path to it)"));
  }
}

int run_and_report(launch program, const install_tree& tree) {
  int wait_status = 0;
  {
    const temporary_folder folder;
    program.environment.emplace_back("LD_DEBUG", "files");
    program.environment.emplace_back("LD_DEBUG_OUTPUT", folder.path() / "linker");
    for (const drop_in_library& each : tree.drop_in_libraries()) {
      fmt::print(stderr, "convoy: {} drop-in library: {}\n", each.name,
                 each.present ? each.folder.string() : "not installed");
    }
    wait_status = run_child(program);
    print_libraries(loaded_libraries(folder.path()), tree);
  }
  exit_like(wait_status);
}

int run(const run_options& options) {
  const install_tree tree = find_install_tree();
  const launch program = launch_for(options, tree);
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
  verb->add_flag("--isolate", options->isolate, "Fault when host code accesses device memory");
  verb->add_flag("-v,--verbose", options->verbose, "Print which libraries were loaded");
  verb->add_option("PROGRAM", options->command, "The program and its arguments, after --")
      ->required()
      ->type_name("PROGRAM ARGS...");
  verb->positionals_at_end();
  verb->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace convoy::tools
