// The verbs of the command line. Each has a file of its own with its options and its action.
#pragma once

#include <CLI/CLI.hpp>

namespace convoy::tools {

// Each function adds its verb to the command. A verb sets `exit_code`, the exit code of the
// process.
void add_bench(CLI::App& command, int& exit_code);
void add_completion(CLI::App& command, int& exit_code);
void add_doctor(CLI::App& command, int& exit_code);
void add_env(CLI::App& command, int& exit_code);
void add_info(CLI::App& command, int& exit_code);
void add_replay(CLI::App& command, int& exit_code);
void add_run(CLI::App& command, int& exit_code);
void add_trace(CLI::App& command, int& exit_code);

}  // namespace convoy::tools
