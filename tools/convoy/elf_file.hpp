// What an ELF file states about the libraries it needs.
#pragma once

#include <string>
#include <vector>

namespace convoy::tools {

struct elf_facts {
  bool is_elf = false;
  bool is_dynamic = false;         // loaded by a dynamic linker
  std::string interpreter;         // the path of that dynamic linker
  bool has_cuda_inside = false;    // statically linked with NVIDIA's runtime
  std::vector<std::string> needs;  // names of libraries
  std::string fixed_path;          // DT_RPATH, which comes before LD_LIBRARY_PATH
};

// All defaults for a file that cannot be read or is damaged.
elf_facts inspect_elf(const std::string& path);

}  // namespace convoy::tools
