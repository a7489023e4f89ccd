// Where this installation is. The command finds everything relative to itself, so that the build
// tree, the install tree and a tree that was moved all work.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace convoy::cli {

// A set of libraries, or modules, that stand in for a vendor's.
struct front_door {
  std::string name;               // "ascend"
  std::string serves;             // who needs it
  std::filesystem::path folder;   // to put first in line
  std::filesystem::path library;  // what must be in there
  bool present = false;
};

struct install_tree {
  std::filesystem::path root;     // bin/ is in it
  std::filesystem::path library;  // libconvoy.so, as this process has it
  front_door ascend;
  front_door cuda;
  front_door python;

  [[nodiscard]] std::vector<front_door> doors() const { return {ascend, cuda, python}; }
};

install_tree find_install_tree();

// This command itself.
std::filesystem::path own_path();

}  // namespace convoy::cli
