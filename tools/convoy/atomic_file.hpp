// A file that is there whole or not at all: it is written beside its place and then moved there.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace convoy::tools {

// Throws a failure when it cannot be written.
void write_file(const std::string& path, std::string_view contents);

// The same for those who can only write to a file of a name: calls write(name).
void write_file(const std::string& path, const std::function<void(const std::string&)>& write);

// Ctrl-C and its like remove what is half written and then end the process as they would have.
void remove_partial_files_on_signals();

}  // namespace convoy::tools
