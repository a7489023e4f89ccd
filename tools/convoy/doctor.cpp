// convoy doctor: is this installation sound, from end to end?
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
#include "door_probe.hpp"
#include "failure.hpp"
#include "install_tree.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace convoy::cli {
namespace {

namespace fs = std::filesystem;

enum class verdict { good, missing, bad };

struct finding {
  std::string what;
  verdict how = verdict::good;
  std::string why;
};

// What a shell takes for one word.
std::string word(const std::string& text) {
  std::string made = "'";
  for (const char each : text) made += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return made + "'";
}

// Runs a command and answers what it said, when it failed; a crash says nothing by itself.
std::string complaint_of(const std::string& command) {
  std::FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return "no process can be started";
  std::string said;
  std::array<char, 512> part;
  while (std::fgets(part.data(), part.size(), pipe) != nullptr) said += part.data();
  const int how = ::pclose(pipe);
  if (WIFEXITED(how) && WEXITSTATUS(how) == 0) return "";
  while (!said.empty() && said.back() == '\n') said.pop_back();
  const auto last = said.rfind('\n');
  if (last != said.npos) said = said.substr(last + 1);
  return said.empty() ? "it ends its process" : said;
}

finding check_door(const front_door& door, const std::string& what) {
  if (!door.present) {
    return {what, verdict::missing, fmt::format("not installed ({})", door.library.string())};
  }
  const std::string why =
      complaint_of(fmt::format("{} doctor --probe {}", word(own_path()), door.name));
  return {what, why.empty() ? verdict::good : verdict::bad, why};
}

finding check_python(const install_tree& tree) {
  const std::string what = "Python modules: import and copy";
  if (!tree.python.present) {
    return {what, verdict::missing, fmt::format("not installed ({})", tree.python.folder.string())};
  }
  std::string command;
  for (const auto& [name, value] : doors_first(tree))
    command += fmt::format("{}={} ", name, word(value));
  const std::string why = complaint_of(
      command + "python3 -c " +
      word("import convoy; d = convoy.device(0); a = bytearray(b'x' * 4096); b = bytearray(4096); "
           "p = d.buffer(4096); s = d.stream(); s.copy_batch([p], [a]); s.copy_batch([b], [p]); "
           "s.synchronize(); assert a == b, 'a batch lost bytes on its way'"));
  return {what, why.empty() ? verdict::good : verdict::bad, why};
}

finding check_version(const install_tree& tree) {
  const std::string file = tree.library.filename();
  if (file.ends_with("." CONVOY_VERSION) || file == "libconvoy.so.0") {
    return {"versions match", verdict::good, ""};
  }
  return {"versions match", verdict::bad,
          fmt::format("the command is {} and its library {}; install them together", CONVOY_VERSION,
                      tree.library.string())};
}

std::vector<finding> examine() {
  const install_tree tree = find_install_tree();
  std::vector<finding> all{check_version(tree)};
  const std::string engine =
      complaint_of(fmt::format("{} doctor --probe native", word(own_path())));
  all.push_back(
      {"engine: a batch there and back", engine.empty() ? verdict::good : verdict::bad, engine});
  all.push_back(check_door(tree.ascend, "AscendCL door: a batch there and back"));
  all.push_back(check_door(tree.cuda, "CUDA door: a batch there and back"));
  all.push_back(check_python(tree));
  return all;
}

std::string mark_of(verdict how, const terminal& out) {
  switch (how) {
    case verdict::good: return out.good("good   ");
    case verdict::missing: return out.warning("missing");
    case verdict::bad: return out.bad("bad    ");
  }
  return "";
}

std::string_view word_of(verdict how) {
  switch (how) {
    case verdict::good: return "good";
    case verdict::missing: return "missing";
    case verdict::bad: return "bad";
  }
  return "";
}

// The one line at the end.
std::string conclusion(const std::vector<finding>& all) {
  std::string missing;
  for (const finding& each : all) {
    if (each.how == verdict::bad) return fmt::format("bad: {}: {}", each.what, each.why);
    if (each.how == verdict::missing) {
      missing += (missing.empty() ? "" : ", ") + each.what.substr(0, each.what.find(':'));
    }
  }
  if (missing.empty()) return "good: everything is installed and works";
  return fmt::format("good: what is installed works; not installed: {}", missing);
}

int report(bool as_json) {
  const std::vector<finding> all = examine();
  const bool sound =
      std::ranges::none_of(all, [](const finding& each) { return each.how == verdict::bad; });
  if (as_json) {
    nlohmann::json made{{"sound", sound}, {"conclusion", conclusion(all)}};
    for (const finding& each : all) {
      made["checks"].push_back(
          {{"what", each.what}, {"how", word_of(each.how)}, {"why", each.why}});
    }
    fmt::print("{}\n", made.dump(2));
    return sound ? 0 : 1;
  }
  const terminal out;
  for (const finding& each : all) {
    fmt::print("{}  {}{}{}\n", mark_of(each.how, out), each.what, each.why.empty() ? "" : ": ",
               each.why);
  }
  fmt::print("{}\n", sound ? out.good(conclusion(all)) : out.bad(conclusion(all)));
  return sound ? 0 : 1;
}

int probe(const std::string& name) {
  const install_tree tree = find_install_tree();
  const std::string why = name == "ascend" ? probe_ascend(tree.ascend)
                          : name == "cuda" ? probe_cuda(tree.cuda)
                                           : probe_native();
  if (why.empty()) return 0;
  fmt::print("{}\n", why);
  return 1;
}

struct doctor_wishes {
  bool json = false;
  std::string probed;
};

}  // namespace

void add_doctor(CLI::App& command, int& exit_code) {
  auto asked = std::make_shared<doctor_wishes>();
  CLI::App* const verb = command.add_subcommand("doctor", "Check the installation from end to end");
  verb->add_flag("--json", asked->json, "For machines");
  verb->add_option("--probe", asked->probed)
      ->check(CLI::IsMember({"native", "ascend", "cuda"}))
      ->group("");
  verb->callback([asked, &exit_code] {
    exit_code = asked->probed.empty() ? report(asked->json) : probe(asked->probed);
  });
}

}  // namespace convoy::cli
