// What an executable says about the libraries it wants.
#pragma once

#include <string>
#include <vector>

namespace convoy::tools {

struct elf_facts {
  bool is_elf = false;
  bool is_dynamic = false;         // has an interpreter that finds libraries for it
  bool has_cuda_inside = false;    // NVIDIA's runtime is part of the file
  std::vector<std::string> needs;  // names of libraries
  std::string fixed_path;          // DT_RPATH, which comes before LD_LIBRARY_PATH
};

// Nothing is known about a file that cannot be read or is damaged.
elf_facts inspect_elf(const std::string& path);

}  // namespace convoy::tools
