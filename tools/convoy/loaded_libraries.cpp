#include "loaded_libraries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>

#include "shared/failure.hpp"

namespace convoy::tools {
namespace {

namespace fs = std::filesystem;

// The name without version that all copies of a library share; empty for any other file.
std::string library_of(const fs::path& file) {
  const std::string name = file.filename();
  for (const char* const each :
       {"libcudart", "libcuda", "libnvidia-ml", "libascendcl", "libacl_rt", "libconvoy"}) {
    if (name.starts_with(std::string(each) + ".so")) return each;
  }
  if (name.starts_with("libcudart-")) return "libcudart";
  const std::string package = file.parent_path().filename();
  const bool ours = package == "convoy" || package == "acl";
  return ours && name.starts_with("_native.") ? package + "/_native" : "";
}

bool is_under(const fs::path& file, const fs::path& folder) {
  const std::string path = fs::weakly_canonical(file).string();
  return path.starts_with(fs::weakly_canonical(folder).string() + "/");
}

bool is_convoys(const fs::path& file, const install_tree& tree) {
  return is_under(file, tree.cuda.folder) || is_under(file, tree.ascend.folder) ||
         is_under(file, tree.library.parent_path()) || is_under(file, tree.python.folder);
}

void add_file(loaded_process& to, const fs::path& file) {
  if (library_of(file).empty()) return;
  if (std::ranges::find(to.files, file) == to.files.end()) to.files.push_back(file);
}

loaded_process mapped_by(const std::string& pid) {
  const fs::path folder = fs::path("/proc") / pid;
  std::ifstream maps(folder / "maps");
  if (!maps) throw failure(fmt::format("the mappings of process {} cannot be read", pid));
  std::error_code ignored;
  loaded_process found{pid, fs::read_symlink(folder / "exe", ignored), {}};
  for (std::string line; std::getline(maps, line);) {
    const auto slash = line.find('/');
    if (slash != line.npos) add_file(found, line.substr(slash));
  }
  return found;
}

std::vector<std::string> children_of(const std::string& pid) {
  std::vector<std::string> all;
  std::error_code ended;
  for (const auto& thread : fs::directory_iterator(fs::path("/proc") / pid / "task", ended)) {
    std::ifstream children(thread.path() / "children");
    for (std::string each; children >> each;) all.push_back(each);
  }
  return all;
}

}  // namespace

std::vector<loaded_process> read_load_report(const fs::path& file) {
  std::vector<loaded_process> all;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream parts(line);
    std::string pid;
    std::string program;
    std::string path;
    if (!std::getline(parts, pid, '\t') || !std::getline(parts, program, '\t')) continue;
    if (!std::getline(parts, path)) continue;
    auto found = std::ranges::find_if(all, [&](const loaded_process& each) {
      return each.pid == pid && each.program == program;
    });
    if (found == all.end()) found = all.insert(all.end(), {pid, program, {}});
    add_file(*found, path);
  }
  std::erase_if(all, [](const loaded_process& each) { return each.files.empty(); });
  return all;
}

std::vector<loaded_process> processes_from(const std::string& pid) {
  std::vector<loaded_process> all{mapped_by(pid)};
  for (std::size_t i = 0; i != all.size(); ++i) {
    for (const std::string& each : children_of(all[i].pid)) {
      // A child may have ended.
      if (fs::exists(fs::path("/proc") / each / "maps")) all.push_back(mapped_by(each));
    }
  }
  return all;
}

loaded_process this_process() { return mapped_by("self"); }

std::vector<std::string> problems_of(const loaded_process& process, const install_tree& tree) {
  std::vector<std::string> all;
  std::map<std::string, fs::path> first;
  for (const fs::path& each : process.files) {
    if (!is_convoys(each, tree)) all.push_back(fmt::format("{} is not Convoy's", each.string()));
    const auto [known, is_new] = first.emplace(library_of(each), each);
    if (!is_new) {
      all.push_back(fmt::format("two copies of {} are loaded, {} and {}", known->first,
                                known->second.string(), each.string()));
    }
  }
  return all;
}

std::vector<std::string> describe(const std::vector<loaded_process>& all,
                                  const install_tree& tree) {
  std::map<std::pair<std::string, std::vector<fs::path>>, std::vector<const loaded_process*>> alike;
  for (const loaded_process& each : all) alike[{each.program, each.files}].push_back(&each);
  std::vector<std::string> lines;
  for (const auto& [key, processes] : alike) {
    const std::string others =
        processes.size() == 1 ? "" : fmt::format(" and {} more processes", processes.size() - 1);
    lines.push_back(fmt::format(
        "{} (PID {}{}) has loaded{}", fs::path(key.first).filename().string(), processes[0]->pid,
        others, key.second.empty() ? " none of the libraries Convoy replaces" : ""));
    for (const fs::path& each : key.second) {
      lines.push_back(fmt::format("  {:<18} {}", each.filename().string(), each.string()));
    }
    for (const std::string& each : problems_of(*processes[0], tree)) {
      lines.push_back("  warning: " + each);
    }
  }
  return lines;
}

}  // namespace convoy::tools
