// convoy completion: completion scripts for shells.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>

#include "verb.hpp"

namespace convoy::tools {
namespace {

// Long and short names of the options of a verb.
std::string options_of(const CLI::App& verb) {
  std::string all;
  for (const CLI::Option* each : verb.get_options()) {
    for (const std::string& name : each->get_lnames()) all += fmt::format(" --{}", name);
    for (const std::string& name : each->get_snames()) all += fmt::format(" -{}", name);
  }
  return all.empty() ? all : all.substr(1);
}

// Escaped for use between single quotes of a shell.
std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4) {
    text.replace(at, 1, "'\\''");
  }
  return text;
}

std::string verbs_of(const CLI::App& command) {
  std::string all;
  for (const CLI::App* each : command.get_subcommands({})) all += " " + each->get_name();
  return all.substr(1);
}

std::string for_bash(const CLI::App& command) {
  std::string cases;
  for (const CLI::App* each : command.get_subcommands({})) {
    cases += fmt::format("    {}) options='{}' ;;\n", each->get_name(), options_of(*each));
  }
  return fmt::format(R"(# Completion of convoy for bash.
_convoy() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} verb=${{COMP_WORDS[1]}} options= i
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W '{} --help --version' -- "$word")
    return
  fi
  for ((i = 2; i < COMP_CWORD; ++i)); do
    [[ ${{COMP_WORDS[i]}} == -- ]] && {{ mapfile -t COMPREPLY < <(compgen -cf -- "$word"); return; }}
  done
  case $verb in
{}  esac
  mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word"; [[ $word == -* ]] || compgen -f -- "$word")
}}
complete -o filenames -F _convoy convoy
)",
                     verbs_of(command), cases);
}

std::string for_zsh(const CLI::App& command) {
  std::string verbs;
  std::string cases;
  for (const CLI::App* each : command.get_subcommands({})) {
    verbs += fmt::format("    '{}:{}'\n", each->get_name(), quoted(each->get_description()));
    cases += fmt::format("    {}) compadd -- {} ;;\n", each->get_name(), options_of(*each));
  }
  return fmt::format(R"(#compdef convoy
# Completion of convoy for zsh.
_convoy() {{
  local -a verbs=(
{}  )
  if ((CURRENT == 2)); then
    _describe verb verbs
    return
  fi
  if ((${{words[(I)--]}})); then
    _command_names -e || _files
    return
  fi
  case ${{words[2]}} in
{}  esac
  _files
}}
compdef _convoy convoy
)",
                     verbs, cases);
}

std::string for_fish(const CLI::App& command) {
  std::string text = "# Completion of convoy for fish.\n";
  for (const CLI::App* verb : command.get_subcommands({})) {
    text += fmt::format("complete -c convoy -n __fish_use_subcommand -f -a {} -d '{}'\n",
                        verb->get_name(), quoted(verb->get_description()));
    for (const CLI::Option* each : verb->get_options()) {
      for (const std::string& name : each->get_lnames()) {
        text +=
            fmt::format("complete -c convoy -n '__fish_seen_subcommand_from {}' -l {} -d '{}'\n",
                        verb->get_name(), name, quoted(each->get_description()));
      }
    }
  }
  return text;
}

std::string text_for(const std::string& shell, const CLI::App& command) {
  if (shell == "bash") return for_bash(command);
  return shell == "zsh" ? for_zsh(command) : for_fish(command);
}

}  // namespace

void add_completion(CLI::App& command, int& exit_code) {
  auto shell = std::make_shared<std::string>();
  CLI::App* const verb =
      command.add_subcommand("completion", "Print completion for bash, zsh or fish");
  verb->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  verb->callback([shell, &command, &exit_code] {
    fmt::print("{}", text_for(*shell, command));
    exit_code = 0;
  });
}

}  // namespace convoy::tools
