// Runs a program with Convoy's libraries in place of the vendors'.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "install_tree.hpp"

namespace convoy::tools {

using variables = std::vector<std::pair<std::string, std::string>>;

struct launch {
  std::vector<std::string> command;  // program and arguments
  variables environment;             // added to that of this process
};

// Adds the interpreter of a Python script that is not executable. Throws a failure for a program
// that does not exist or is statically linked with NVIDIA's runtime.
std::vector<std::string> checked_command(std::vector<std::string> command);

// LD_AUDIT, LD_LIBRARY_PATH and PYTHONPATH for what is installed. The audit library answers every
// request for a library; the library path serves where there is none.
variables library_variables(const install_tree& tree);

// The same in front of the values that this process has.
variables library_environment(const install_tree& tree);

// Why the libraries of a program cannot all be replaced, in a sentence; empty if they can.
std::string replacement_obstacle(const std::string& program, const install_tree& tree);

// Replaces this process by the program.
[[noreturn]] void exec_program(const launch& program);

// Runs the program as a child, forwards signals to it, and returns its wait status.
int run_child(const launch& program);

// Ends this process as the child ended: with its exit code, or by its signal.
[[noreturn]] void exit_like(int wait_status);

}  // namespace convoy::tools
