#include "install_tree.hpp"

#include <dlfcn.h>

#include <convoy/status.hpp>

namespace convoy::cli {
namespace {

namespace fs = std::filesystem;

// The first place that has the library, or the first of all.
front_door find_door(std::string name, std::string serves, const std::vector<fs::path>& places,
                     const fs::path& library) {
  front_door found{std::move(name), std::move(serves), places.front(), places.front() / library};
  for (const fs::path& each : places) {
    if (!fs::exists(each / library)) continue;
    found.folder = each;
    found.library = each / library;
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
  const auto under = [&](const fs::path& what) {
    return std::vector{tree.root / CONVOY_LIBDIR / "convoy" / what,
                       tree.root / "lib" / "convoy" / what};
  };
  tree.ascend = find_door("ascend", "AscendCL programs", under("ascend"), "libascendcl.so");
  tree.cuda = find_door("cuda", "CUDA programs", under("cuda"), "libcudart.so.13");
  auto python = under("python");
  python.push_back(tree.root / "python");
  python.push_back(tree.root.parent_path());  // a wheel: the root is the package itself
  tree.python = find_door("python", "Python programs", python, "convoy/__init__.py");
  return tree;
}

}  // namespace convoy::cli
