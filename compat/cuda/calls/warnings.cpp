#include "calls/warnings.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <set>

#include "shared/process_lifetime.hpp"
#include "state/kernel_names.hpp"

namespace convoy::cuda {
namespace {

// True for the first caller.
bool is_first(std::atomic<bool>& warned) noexcept { return !warned.exchange(true); }

std::string program_path() {
  std::error_code failed;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? "the program" : path.string();
}

// Where the code at this address comes from: "PROGRAM, which has it linked in" or a library.
std::string origin_of(const void* code, const std::string& program) {
  Dl_info found{};
  if (::dladdr(code, &found) == 0 || found.dli_fname == nullptr) return "an unknown file";
  std::error_code failed;
  const bool is_program = std::filesystem::equivalent(found.dli_fname, "/proc/self/exe", failed);
  return is_program ? "linked statically into " + program : std::string(found.dli_fname);
}

void print(const std::string& sentence) { std::fprintf(stderr, "convoy: %s\n", sentence.c_str()); }

struct reported_names {
  std::mutex mutex;
  std::set<std::string> names;
};

}  // namespace

void warn_of_other_runtime(const void* caller) noexcept try {
  static std::atomic<bool> warned{false};
  if (!is_first(warned)) return;
  const std::string program = program_path();
  print(program + ": NVIDIA's CUDA runtime (" + origin_of(caller, program) +
        ") asks for internals of NVIDIA's driver, so it cannot run on Convoy's libcuda.so.1. Use "
        "Convoy's libcudart.so.13 instead: link with the shared runtime (nvcc -cudart shared) and "
        "start the program with `convoy run`.");
} catch (...) {
  // A warning that cannot be written is lost.
}

void warn_of_missing_function(const std::string& kernel) noexcept try {
  static std::atomic<bool> warned{false};
  if (!is_first(warned)) return;
  print(
      program_path() + ": the kernel " + demangled(kernel) +
      " was launched, but Convoy does not execute kernels. The launch fails unless a host function "
      "is registered for it (convoy_kernels.h, `convoy run --kernels`). Further kernels are not "
      "reported.");
} catch (...) {
  // A warning that cannot be written is lost.
}

void report_skipped_kernel(const std::string& kernel) noexcept try {
  auto& reported = compat::process_object<reported_names>();
  const std::lock_guard held(reported.mutex);
  if (!reported.names.insert(kernel).second) return;
  print(program_path() + ": launches of the kernel " + demangled(kernel) +
        " are skipped, as CONVOY_KERNELS says.");
} catch (...) {
  // A warning that cannot be written is lost.
}

}  // namespace convoy::cuda
