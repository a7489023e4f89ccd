// Files that exist completely or not at all: written under a temporary name, then renamed.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace convoy::tools {

// Throws a failure when the file cannot be written.
void write_file(const std::string& path, std::string_view contents);

// For writers that need a file name: calls write(temporary_name).
void write_file(const std::string& path, const std::function<void(const std::string&)>& write);

// SIGINT, SIGTERM and SIGHUP remove a partly written file and then end the process as usual.
void remove_partial_files_on_signals();

}  // namespace convoy::tools
