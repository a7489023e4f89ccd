// Runs a program with Convoy's libraries first on its library path.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "install_tree.hpp"

namespace convoy::tools {

struct launch {
  std::vector<std::string> command;                              // program and arguments
  std::vector<std::pair<std::string, std::string>> environment;  // on top of this process's
};

// Names the interpreter of a Python script that is not executable, and refuses what cannot work: a
// program that is not there, or that has NVIDIA's runtime inside.
std::vector<std::string> checked_command(std::vector<std::string> command);

// LD_LIBRARY_PATH and PYTHONPATH with the installed drop-in libraries in front.
std::vector<std::pair<std::string, std::string>> library_environment(const install_tree& tree);

// Becomes the program.
[[noreturn]] void exec_program(const launch& program);

// Runs it as a child, hands signals on to it, and answers what waitpid() said.
int run_child(const launch& program);

// Ends this process the way that one ended: with its exit code, or by its signal.
[[noreturn]] void exit_like(int wait_status);

}  // namespace convoy::tools
