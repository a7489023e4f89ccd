#include "temporary_folder.hpp"

#include <stdlib.h>

#include <string>

#include "shared/failure.hpp"

namespace convoy::tools {

temporary_folder::temporary_folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "convoy_XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw failure("cannot create a temporary folder; set TMPDIR to a writable folder");
  }
  path_ = pattern;
}

temporary_folder::~temporary_folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace convoy::tools
