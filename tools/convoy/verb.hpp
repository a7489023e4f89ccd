// A verb of the command line: its options, and what it does. Each has a file of its own.
#pragma once

#include <CLI/CLI.hpp>

namespace convoy::tools {

// Each adds its verb to the command; when the verb was given, `exit_code` is what the command ends
// with.
void add_bench(CLI::App& command, int& exit_code);
void add_completion(CLI::App& command, int& exit_code);
void add_doctor(CLI::App& command, int& exit_code);
void add_info(CLI::App& command, int& exit_code);
void add_replay(CLI::App& command, int& exit_code);
void add_run(CLI::App& command, int& exit_code);
void add_trace(CLI::App& command, int& exit_code);

}  // namespace convoy::tools
