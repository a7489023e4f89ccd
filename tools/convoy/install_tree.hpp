// Where this installation is. The command finds everything relative to itself, so that the build
// tree, the install tree and a tree that was moved all work.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace convoy::tools {

// A set of libraries, or modules, that stand in for a vendor's.
struct drop_in_library {
  std::string name;              // "ascend"
  std::string used_by;           // "AscendCL programs"
  std::filesystem::path folder;  // to put first in line
  std::filesystem::path file;    // in the folder, if it is present
  bool present = false;
};

struct install_tree {
  std::filesystem::path root;     // bin/ is in it
  std::filesystem::path library;  // libconvoy.so, as this process has it
  drop_in_library ascend;
  drop_in_library cuda;
  drop_in_library python;

  [[nodiscard]] std::vector<drop_in_library> drop_in_libraries() const {
    return {ascend, cuda, python};
  }
};

install_tree find_install_tree();

// This command itself.
std::filesystem::path own_path();

}  // namespace convoy::tools
