// convoy env: the variables that convoy run sets, for programs that something else starts.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "child.hpp"
#include "shared/failure.hpp"
#include "shell_text.hpp"
#include "verb.hpp"

namespace convoy::tools {
namespace {

struct env_options {
  std::string shell = "sh";
  std::string format = "shell";
};

// A shell has the values of this process, so that Convoy's go in front of them.
std::string exports_for(const std::string& shell, const install_tree& tree) {
  std::string text;
  for (const auto& [name, value] : library_environment(tree)) {
    text += shell == "fish" ? fmt::format("set -gx {} {};\n", name, fish_quoted(value))
                            : fmt::format("export {}={}\n", name, shell_quoted(value));
  }
  return text;
}

// docker run --env-file: a line for each, taken as it is.
std::string env_file(const install_tree& tree) {
  std::string text;
  for (const auto& [name, value] : library_variables(tree)) {
    if (value.find('\n') != std::string::npos) {
      throw failure("the installation has a line break in its path, which an env-file cannot hold");
    }
    text += fmt::format("{}={}\n", name, value);
  }
  return text;
}

std::string json_text(const install_tree& tree) {
  nlohmann::json all;
  for (const auto& [name, value] : library_variables(tree)) all[name] = value;
  return all.dump(2) + "\n";
}

std::string text_of(const env_options& options) {
  const install_tree tree = find_install_tree();
  if (options.format == "docker") return env_file(tree);
  if (options.format == "json") return json_text(tree);
  return exports_for(options.shell, tree);
}

}  // namespace

void add_env(CLI::App& command, int& exit_code) {
  auto options = std::make_shared<env_options>();
  CLI::App* const verb = command.add_subcommand(
      "env", "Print the variables of convoy run, for shells, containers and IDEs");
  verb->add_option("--shell", options->shell, "sh, bash, zsh or fish (sh)")
      ->check(CLI::IsMember({"sh", "bash", "zsh", "fish"}))
      ->type_name("SHELL");
  verb->add_option("--format", options->format, "shell, docker or json (shell)")
      ->check(CLI::IsMember({"shell", "docker", "json"}))
      ->type_name("FORMAT");
  verb->callback([options, &exit_code] {
    fmt::print("{}", text_of(*options));
    exit_code = 0;
  });
}

}  // namespace convoy::tools
