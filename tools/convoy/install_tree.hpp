// The files of this installation. The command finds them relative to itself, so that the build
// tree, the install tree and a moved tree all work.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace convoy::tools {

// Libraries, or Python modules, that replace those of a vendor.
struct drop_in_library {
  std::string name;              // "ascend"
  std::string used_by;           // "AscendCL programs"
  std::filesystem::path folder;  // for LD_LIBRARY_PATH or PYTHONPATH
  std::filesystem::path file;    // in the folder, if it is present
  bool present = false;
};

struct install_tree {
  std::filesystem::path root;     // contains bin/
  std::filesystem::path library;  // libconvoy.so of this process
  drop_in_library ascend;
  drop_in_library cuda;
  drop_in_library python;
  std::filesystem::path audit;  // the library for LD_AUDIT; empty where it is not installed

  [[nodiscard]] std::vector<drop_in_library> drop_in_libraries() const {
    return {ascend, cuda, python};
  }
};

install_tree find_install_tree();

// The path of this executable.
std::filesystem::path own_path();

}  // namespace convoy::tools
