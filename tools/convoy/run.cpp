// convoy run: any program, with the drop-in libraries and modules first in line.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "child.hpp"
#include "scratch_folder.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace convoy::cli {
namespace {

namespace fs = std::filesystem;

struct run_wishes {
  std::optional<int> devices;
  std::string soc;
  bool isolate = false;
  bool verbose = false;
  std::vector<std::string> command;
};

launch launch_for(const run_wishes& asked, const install_tree& tree) {
  launch made{checked_command(asked.command), doors_first(tree)};
  if (asked.devices)
    made.environment.emplace_back("CONVOY_DEVICES", std::to_string(*asked.devices));
  if (!asked.soc.empty()) made.environment.emplace_back("CONVOY_SOC", asked.soc);
  if (asked.isolate) made.environment.emplace_back("CONVOY_ISOLATE", "1");
  return made;
}

bool is_ours_to_serve(const std::string& name) {
  for (const char* each :
       {"libcudart.so", "libcuda.so", "libascendcl.so", "libacl_rt.so", "libconvoy.so"}) {
    if (name.starts_with(each)) return true;
  }
  return name.starts_with("_native.") || name.starts_with("acl.");
}

// What the dynamic linker of any of the processes said it loaded: name of the library, file.
std::map<std::string, fs::path> libraries_taken(const fs::path& folder) {
  std::map<std::string, fs::path> taken;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::ifstream lines(entry.path());
    for (std::string line; std::getline(lines, line);) {
      constexpr std::string_view mark = "calling init: ";
      const auto at = line.find(mark);
      if (at == std::string::npos) continue;
      const fs::path file = line.substr(at + mark.size());
      if (is_ours_to_serve(file.filename())) taken[file.filename()] = file;
    }
  }
  return taken;
}

void tell_libraries(const std::map<std::string, fs::path>& taken, const install_tree& tree) {
  const terminal out(output::error);
  if (taken.empty()) {
    fmt::print(stderr,
               "convoy: the program took none of the libraries that Convoy stands in for\n");
  }
  for (const auto& [name, file] : taken) {
    const fs::path folder = file.parent_path();
    const bool ours = folder == tree.ascend.folder || folder == tree.cuda.folder ||
                      fs::weakly_canonical(folder) == tree.library.parent_path() ||
                      folder.string().starts_with(tree.python.folder.string());
    fmt::print(stderr, "convoy: {:<18} {}{}\n", name, file.string(),
               ours ? "" : out.warning("  (not Convoy's: the program has a fixed path to it)"));
  }
}

int run_and_tell(launch what, const install_tree& tree) {
  int how = 0;
  {
    const scratch_folder scratch;
    what.environment.emplace_back("LD_DEBUG", "files");
    what.environment.emplace_back("LD_DEBUG_OUTPUT", scratch.path() / "linker");
    for (const front_door& each : tree.doors()) {
      fmt::print(stderr, "convoy: {} door: {}\n", each.name,
                 each.present ? each.folder.string() : "not installed");
    }
    how = run_child(what);
    tell_libraries(libraries_taken(scratch.path()), tree);
  }
  end_like(how);
}

int run(const run_wishes& asked) {
  const install_tree tree = find_install_tree();
  const launch what = launch_for(asked, tree);
  if (asked.verbose) return run_and_tell(what, tree);
  become(what);
}

}  // namespace

void add_run(CLI::App& command, int& exit_code) {
  auto asked = std::make_shared<run_wishes>();
  CLI::App* const verb =
      command.add_subcommand("run", "Run a program or Python script on Convoy's libraries");
  verb->add_option("--devices", asked->devices, "How many devices it finds")
      ->check(CLI::Range(1, 64))
      ->type_name("N");
  verb->add_option("--soc", asked->soc, "The Ascend model it finds")->type_name("NAME");
  verb->add_flag("--isolate", asked->isolate, "Stop host code that touches device memory");
  verb->add_flag("-v,--verbose", asked->verbose, "Say which libraries were really taken");
  verb->add_option("PROGRAM", asked->command, "The program and its arguments, after --")
      ->required()
      ->type_name("PROGRAM ARGS...");
  verb->positionals_at_end();
  verb->callback([asked, &exit_code] { exit_code = run(*asked); });
}

}  // namespace convoy::cli
