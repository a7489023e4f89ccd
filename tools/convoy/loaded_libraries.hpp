// Which of the libraries that Convoy replaces a process has really loaded, and from which files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "install_tree.hpp"

namespace convoy::tools {

struct loaded_process {
  std::string pid;
  std::string program;                       // the path of its executable
  std::vector<std::filesystem::path> files;  // in the order of loading, each once
};

// The variable that tells the audit library to append to a file what each process loads.
inline constexpr const char* load_report_variable = "_CONVOY_LOADED_REPORT";

// Every process that appended to the file.
std::vector<loaded_process> read_load_report(const std::filesystem::path& file);

// A running process and its descendants. Throws a failure if its mappings cannot be read.
std::vector<loaded_process> processes_from(const std::string& pid);

// The files that this process has mapped.
loaded_process this_process();

// Why a process does not run on Convoy alone, a sentence each: files that are not Convoy's, and
// several files of one library.
std::vector<std::string> problems_of(const loaded_process& process, const install_tree& tree);

// One line for each file, processes with the same files together, and one for each problem.
std::vector<std::string> describe(const std::vector<loaded_process>& all, const install_tree& tree);

}  // namespace convoy::tools
