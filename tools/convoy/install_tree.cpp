#include "install_tree.hpp"

#include <dlfcn.h>

#include <convoy/status.hpp>

namespace convoy::tools {
namespace {

namespace fs = std::filesystem;

// In the first folder that has it; absent, in the first folder.
drop_in_library find_drop_in_library(std::string name, std::string used_by,
                                     const std::vector<fs::path>& folders, const fs::path& file) {
  drop_in_library found{std::move(name), std::move(used_by), folders.front(),
                        folders.front() / file};
  for (const fs::path& each : folders) {
    if (!fs::exists(each / file)) continue;
    found.folder = each;
    found.file = each / file;
    found.present = true;
    break;
  }
  return found;
}

fs::path library_in_use() {
  Dl_info found = {};
  const auto* const inside = reinterpret_cast<const void*>(&convoy::explain);
  if (::dladdr(inside, &found) == 0 || found.dli_fname == nullptr) return {};
  std::error_code problem;
  const fs::path real = fs::canonical(found.dli_fname, problem);
  return problem ? fs::path(found.dli_fname) : real;
}

}  // namespace

fs::path own_path() { return fs::canonical("/proc/self/exe"); }

install_tree find_install_tree() {
  install_tree tree;
  tree.root = own_path().parent_path().parent_path();
  tree.library = library_in_use();
  const auto under = [&](const fs::path& subfolder) {
    return std::vector{tree.root / CONVOY_LIBDIR / "convoy" / subfolder,
                       tree.root / "lib" / "convoy" / subfolder};
  };
  tree.ascend =
      find_drop_in_library("ascend", "AscendCL programs", under("ascend"), "libascendcl.so");
  tree.cuda = find_drop_in_library("cuda", "CUDA programs", under("cuda"), "libcudart.so.13");
  auto python = under("python");
  python.push_back(tree.root / "python");
  python.push_back(tree.root.parent_path());  // a wheel: the root is the package itself
  tree.python = find_drop_in_library("python", "Python programs", python, "convoy/__init__.py");
  for (const fs::path& each : under("libconvoy-audit.so")) {
    if (tree.audit.empty() && fs::exists(each)) tree.audit = each;
  }
  return tree;
}

}  // namespace convoy::tools
