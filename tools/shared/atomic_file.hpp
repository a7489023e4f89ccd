// Output files that exist completely or not at all: written under a temporary name, then renamed.
#pragma once

#include <string>
#include <string_view>

namespace convoy::tools {

// Replaces the file. A device, a pipe, /dev/stdout, /dev/stderr and /dev/fd/N are written to as
// they are. A symbolic link is refused: who can place one would choose the file that is
// overwritten. Throws a failure when the file cannot be written.
void write_file(const std::string& path, std::string_view contents);

// Throws the failure of write_file() for a name that is a symbolic link or a folder.
void check_output_name(const std::string& path);

// SIGINT, SIGTERM and SIGHUP remove a partly written file and then end the process as usual.
void remove_partial_files_on_signals();

}  // namespace convoy::tools
