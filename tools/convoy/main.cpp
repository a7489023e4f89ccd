// The command `convoy`.
#include <fmt/format.h>

#include <convoy/status.hpp>
#include <cstdio>
#include <exception>

#include "recordings.hpp"
#include "shared/atomic_file.hpp"
#include "verb.hpp"

namespace {

constexpr int wrong_usage = 2;

// Prints one sentence that points to the help.
int report_usage_error(const CLI::App& command, const CLI::ParseError& problem, const char* first) {
  if (problem.get_exit_code() == 0) return command.exit(problem);  // --help, --version
  if (command.get_subcommands().empty() && first != nullptr && first[0] != '-') {
    std::string known;
    for (const CLI::App* each : command.get_subcommands({})) known += " " + each->get_name();
    fmt::print(stderr, "convoy: there is no verb \"{}\"; there are{}\n", first, known);
    return wrong_usage;
  }
  std::string verb;
  for (const CLI::App* each : command.get_subcommands()) verb = " " + each->get_name();
  fmt::print(stderr, "convoy: {}; see convoy{} --help\n", problem.what(), verb);
  return wrong_usage;
}

int run_command(int count, char** arguments) {
  CLI::App command{"Runs, measures and shows batched, stream-ordered memory copies.", "convoy"};
  command.set_version_flag("--version", "convoy " CONVOY_VERSION);
  command.require_subcommand(1);
  command.failure_message(CLI::FailureMessage::simple);
  command.footer(
      "Try:  convoy info                       show the machine and the installation\n"
      "      convoy run -- pytest              run a program without an accelerator\n"
      "      convoy bench --quick --plot b.png measure when a batch is faster\n"
      "      convoy trace -- ./server          show where the time goes\n"
      "      convoy doctor                     check the installation");
  int exit_code = 0;
  convoy::tools::remove_partial_files_on_signals();
  convoy::tools::add_info(command, exit_code);
  convoy::tools::add_run(command, exit_code);
  convoy::tools::add_env(command, exit_code);
  convoy::tools::add_bench(command, exit_code);
  convoy::tools::add_trace(command, exit_code);
  convoy::tools::add_replay(command, exit_code);
  convoy::tools::add_doctor(command, exit_code);
  convoy::tools::add_completion(command, exit_code);
  try {
    command.parse(count, arguments);
  } catch (const CLI::ParseError& problem) {
    return report_usage_error(command, problem, count > 1 ? arguments[1] : nullptr);
  }
  return exit_code;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run_command(count, arguments);
  } catch (const convoy::tools::bad_trace& problem) {
    std::fprintf(stderr, "convoy: %s\n", problem.what());
    return wrong_usage;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "convoy: %s\n", problem.what());
  } catch (...) {
    std::fputs("convoy: stopped by an unknown exception\n", stderr);
  }
  return 1;
}
