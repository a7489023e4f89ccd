// A program with Convoy's libraries first in line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "install_tree.hpp"

namespace convoy::cli {

struct launch {
  std::vector<std::string> command;                              // program and arguments
  std::vector<std::pair<std::string, std::string>> environment;  // on top of this process's
};

// Names the interpreter of a Python script that is not executable, and refuses what cannot work: a
// program that is not there, or that has NVIDIA's runtime inside.
std::vector<std::string> checked_command(std::vector<std::string> command);

// LD_LIBRARY_PATH and PYTHONPATH with the front doors that are present before all else.
std::vector<std::pair<std::string, std::string>> doors_first(const install_tree& tree);

// Becomes the program.
[[noreturn]] void become(const launch& what);

// Runs it as a child, hands signals on to it, and answers what waitpid() said.
int run_child(const launch& what);

// Ends this process the way that one ended: with its exit code, or by its signal.
[[noreturn]] void end_like(int how);

}  // namespace convoy::cli
