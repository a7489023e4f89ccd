// convoy doctor: checks the installation, with a batch through each interface.
#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "child.hpp"
#include "install_tree.hpp"
#include "library_probe.hpp"
#include "loaded_libraries.hpp"
#include "shared/failure.hpp"
#include "shared/terminal.hpp"
#include "shell_text.hpp"
#include "verb.hpp"

namespace convoy::tools {
namespace {

namespace fs = std::filesystem;

enum class check_state { good, missing, bad };

struct check_result {
  std::string check;
  check_state state = check_state::good;
  std::string reason = {};
};

// Runs a command. Empty when it succeeds, otherwise the last line it printed; a crashed command may
// have printed nothing.
std::string error_output_of(const std::string& command) {
  std::FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return "no process can be started";
  std::string printed;
  std::array<char, 512> part;
  while (std::fgets(part.data(), part.size(), pipe) != nullptr) printed += part.data();
  const int wait_status = ::pclose(pipe);
  if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0) return "";
  while (!printed.empty() && printed.back() == '\n') printed.pop_back();
  const auto last = printed.rfind('\n');
  if (last != printed.npos) printed = printed.substr(last + 1);
  return printed.empty() ? "it crashed without a message" : printed;
}

check_result check_library(const drop_in_library& library, const std::string& check) {
  if (!library.present) {
    return {check, check_state::missing, fmt::format("not installed ({})", library.file.string())};
  }
  const std::string problem =
      error_output_of(fmt::format("{} doctor --probe {}", shell_quoted(own_path()), library.name));
  return {check, problem.empty() ? check_state::good : check_state::bad, problem};
}

// The environment that `convoy run` gives to a program, in front of a command of a shell.
std::string run_environment(const install_tree& tree) {
  std::string text;
  for (const auto& [name, value] : library_environment(tree))
    text += fmt::format("{}={} ", name, shell_quoted(value));
  return text;
}

check_result check_loaded(const install_tree& tree) {
  const std::string check = "convoy run: programs load Convoy's files, whatever path they ask for";
  if (tree.audit.empty()) return {check, check_state::missing, "libconvoy-audit.so not installed"};
  const std::string problem = error_output_of(
      fmt::format("{}{} doctor --probe loaded", run_environment(tree), shell_quoted(own_path())));
  return {check, problem.empty() ? check_state::good : check_state::bad, problem};
}

check_result check_python(const install_tree& tree) {
  const std::string check = "Python modules: import and copy";
  if (!tree.python.present) {
    return {check, check_state::missing,
            fmt::format("not installed ({})", tree.python.folder.string())};
  }
  const std::string problem = error_output_of(
      run_environment(tree) + "python3 -c " +
      shell_quoted(
          "import convoy; d = convoy.device(0); a = bytearray(b'x' * 4096); b = bytearray(4096); "
          "p = d.buffer(4096); s = d.stream(); s.copy_batch([p], [a]); s.copy_batch([b], [p]); "
          "s.synchronize(); assert a == b, 'the bytes of a batch differ'"));
  return {check, problem.empty() ? check_state::good : check_state::bad, problem};
}

check_result check_version(const install_tree& tree) {
  const std::string file = tree.library.filename();
  if (file.ends_with("." CONVOY_VERSION) || file == "libconvoy.so.0") {
    return {"versions match", check_state::good, ""};
  }
  return {"versions match", check_state::bad,
          fmt::format("the command has version {} and its library is {}; install them together",
                      CONVOY_VERSION, tree.library.string())};
}

std::vector<check_result> run_checks() {
  const install_tree tree = find_install_tree();
  std::vector<check_result> all{check_version(tree)};
  const std::string engine =
      error_output_of(fmt::format("{} doctor --probe native", shell_quoted(own_path())));
  all.push_back({"engine: a batch to the device and back",
                 engine.empty() ? check_state::good : check_state::bad, engine});
  all.push_back(
      check_library(tree.ascend, "AscendCL drop-in library: a batch to the device and back"));
  all.push_back(check_library(tree.cuda, "CUDA drop-in library: a batch to the device and back"));
  all.push_back(check_python(tree));
  all.push_back(check_loaded(tree));
  return all;
}

std::string coloured_name(check_state state, const terminal& out) {
  switch (state) {
    case check_state::good: return out.good("good   ");
    case check_state::missing: return out.warning("missing");
    case check_state::bad: return out.bad("bad    ");
  }
  return "";
}

std::string_view name_of(check_state state) {
  switch (state) {
    case check_state::good: return "good";
    case check_state::missing: return "missing";
    case check_state::bad: return "bad";
  }
  return "";
}

// The last line of the report.
std::string summary_line(const std::vector<check_result>& all) {
  std::string missing;
  for (const check_result& each : all) {
    if (each.state == check_state::bad) return fmt::format("bad: {}: {}", each.check, each.reason);
    if (each.state == check_state::missing) {
      missing += (missing.empty() ? "" : ", ") + each.check.substr(0, each.check.find(':'));
    }
  }
  if (missing.empty()) return "good: everything is installed and works";
  return fmt::format("good: what is installed works; not installed: {}", missing);
}

int report(bool as_json) {
  const std::vector<check_result> all = run_checks();
  const bool sound = std::ranges::none_of(
      all, [](const check_result& each) { return each.state == check_state::bad; });
  if (as_json) {
    nlohmann::json made{{"sound", sound}, {"conclusion", summary_line(all)}};
    for (const check_result& each : all) {
      made["checks"].push_back(
          {{"check", each.check}, {"state", name_of(each.state)}, {"reason", each.reason}});
    }
    fmt::print("{}\n", made.dump(2));
    return sound ? 0 : 1;
  }
  const terminal out;
  for (const check_result& each : all) {
    fmt::print("{}  {}{}{}\n", coloured_name(each.state, out), each.check,
               each.reason.empty() ? "" : ": ", each.reason);
  }
  fmt::print("{}\n", sound ? out.good(summary_line(all)) : out.bad(summary_line(all)));
  return sound ? 0 : 1;
}

int probe(const std::string& name) {
  const install_tree tree = find_install_tree();
  const std::string problem = name == "ascend"   ? probe_ascend(tree.ascend)
                              : name == "cuda"   ? probe_cuda(tree.cuda)
                              : name == "loaded" ? probe_loaded(tree)
                                                 : probe_native();
  if (problem.empty()) return 0;
  fmt::print("{}\n", problem);
  return 1;
}

// What a running process and its descendants have loaded.
int report_process(const std::string& pid) {
  const install_tree tree = find_install_tree();
  const std::vector<loaded_process> all = processes_from(pid);
  for (const std::string& each : describe(all, tree)) fmt::print("{}\n", each);
  const bool sound = std::ranges::all_of(
      all, [&](const loaded_process& each) { return problems_of(each, tree).empty(); });
  fmt::print("{}\n", sound ? "good: every library that Convoy replaces is Convoy's"
                           : "bad: see the warnings");
  return sound ? 0 : 1;
}

struct doctor_options {
  bool json = false;
  int pid = 0;
  std::string probe;
};

}  // namespace

void add_doctor(CLI::App& command, int& exit_code) {
  auto options = std::make_shared<doctor_options>();
  CLI::App* const verb = command.add_subcommand(
      "doctor", "Check the installation, with a batch through each interface");
  verb->add_flag("--json", options->json, "Print JSON");
  verb->add_option("--pid", options->pid,
                   "Show what a running process and its children have loaded")
      ->check(CLI::PositiveNumber)
      ->type_name("PID");
  verb->add_option("--probe", options->probe)
      ->check(CLI::IsMember({"native", "ascend", "cuda", "loaded"}))
      ->group("");
  verb->callback([options, &exit_code] {
    exit_code = options->pid != 0        ? report_process(std::to_string(options->pid))
                : options->probe.empty() ? report(options->json)
                                         : probe(options->probe);
  });
}

}  // namespace convoy::tools
