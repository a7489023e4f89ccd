// Calls every exported function with garbage, in child processes.
#pragma once

#include "support/exported_functions.hpp"
// Before the headers with overloads.
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <convoy/buffer.hpp>
#include <csignal>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/garbage_arguments.hpp"

namespace convoy::test {

struct exported_function {
  const char* name;
  argument_rules rules;
  void (*call)(void* function, garbage_arguments& arguments);
};

namespace detail {

template <class Function>
struct garbage_call;

template <class Result, class... Parameters>
struct garbage_call<Result(Parameters...)> {
  static void run(void* function, garbage_arguments& arguments) {
    // Braces evaluate from left to right: a seed makes the same call with every compiler.
    std::tuple<Parameters...> made{arguments.make<Parameters>()...};
    static_cast<void>(std::apply(reinterpret_cast<Result (*)(Parameters...)>(function), made));
  }
};

template <class Result, class... Parameters>
struct garbage_call<Result(Parameters..., ...)> {
  static void run(void* function, garbage_arguments& arguments) {
    std::tuple<Parameters...> made{arguments.make<Parameters>()...};
    static_cast<void>(std::apply(
        [&](Parameters... each) {
          return reinterpret_cast<Result (*)(Parameters..., ...)>(function)(each...);
        },
        made));
  }
};

// It ignores its arguments, which the calling conventions of C allow.
using unsupported_function = std::uint64_t(std::uint64_t, std::uint64_t, std::uint64_t,
                                           std::uint64_t, std::uint64_t, std::uint64_t);

constexpr bool contains(std::string_view text, std::initializer_list<std::string_view> any) {
  return std::any_of(any.begin(), any.end(),
                     [text](std::string_view each) { return text.find(each) != text.npos; });
}

constexpr argument_rules rules_of(std::string_view name) {
  return {
      .counted = contains(name, {"BatchAsync",         "MemcpyBatch",       "BatchMemOp",
                                 "RangeGetAttribute",  "PoolSetAccess",     "SetValidDevices",
                                 "GetPCIBusId",        "GetName",           "PointerGetAttributes",
                                 "LogsDumpToMemory",   "convoy_set_kernel", "NotifyBatchReset",
                                 "CheckMemType",       "GetMemUsageInfo",   "MemUce",
                                 "GetExportKey",       "SetImportPid",      "PidInterServer",
                                 "SetStreamConfigOpt", "WithOffset",        "MemSetPid",
                                 "MemSetAccess"}),
      .takes_value = contains(
          name, {"PoolSetAttribute", "PoolGetAttribute", "RangeGetAttribute", "ShareableHandle",
                 "cuPointerGetAttribute", "cuPointerSetAttribute", "SetStreamConfigOpt"}),
      .may_wait = contains(name, {"WaitValue", "ValueWait", "BatchMemOp", "aclrtStreamWaitEvent",
                                  "WaitAndResetNotify", "Subscribe", "LaunchCallback"}),
      .unregisters = contains(name, {"UnregisterFatBinary"}),
      .reads_size = contains(name, {"LogsDumpToMemory"}),
      .populates = contains(name, {"MallocHost", "HostAlloc", "AllocHost", "RegisterManagedVar"}),
  };
}

}  // namespace detail

#define CONVOY_FUNCTION(symbol, declared) \
  {#symbol, detail::rules_of(#symbol), detail::garbage_call<exported::symbol##_type>::run},
#define CONVOY_UNSUPPORTED(symbol) \
  {#symbol, {}, detail::garbage_call<detail::unsupported_function>::run},
inline const std::vector<exported_function> exported_functions{
#include "exported_functions.inc"
};
#undef CONVOY_FUNCTION
#undef CONVOY_UNSUPPORTED

// Calls of one seed. A child process makes them and is ended by a call that does not return.
class garbage_calls {
 public:
  garbage_calls(unsigned seed, int calls) : seed_(seed), calls_(calls) {
    if (progress_ == MAP_FAILED) throw std::runtime_error("mmap failed");
  }
  ~garbage_calls() { ::munmap(progress_, sizeof *progress_); }
  garbage_calls(const garbage_calls&) = delete;
  garbage_calls& operator=(const garbage_calls&) = delete;

  // What went wrong, and in which call; empty when nothing did. The calling process has not used
  // Convoy: a child of one that has could not.
  std::string problem() {
    const pid_t child = ::fork();
    if (child == 0) run();
    int status = 0;
    if (::waitpid(child, &status, 0) != child) return "no child process";
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
    const std::string end = !WIFSIGNALED(status)
                                ? "exit status " + std::to_string(WEXITSTATUS(status))
                            : WTERMSIG(status) == SIGALRM ? "it did not return"
                                                          : ::strsignal(WTERMSIG(status));
    return std::string(progress_->name) + ": " + end + " (seed " + std::to_string(seed_) +
           ", call " + std::to_string(progress_->call) + ")";
  }

 private:
  static constexpr unsigned seconds_for_a_call = 30;
  static constexpr int wrote_outside = 3;
  static constexpr int canary_changed = 4;

  struct progress {
    int call;
    char name[128];
  };

  // An exception that leaves a call ends the process.
  [[noreturn]] void run() noexcept {
    // No files are created there, and no allocation takes long.
    if (::chdir("/proc") != 0 || ::setenv("CONVOY_DEVICE_MEMORY", "64M", 1) != 0) ::_exit(1);
    const auto canaries = make_canaries();
    garbage_arguments arguments(seed_);
    std::mt19937 random(seed_);
    for (progress_->call = 0; progress_->call != calls_; ++progress_->call) {
      const exported_function& next = exported_functions[random() % exported_functions.size()];
      std::strncpy(progress_->name, next.name, sizeof progress_->name - 1);
      void* const function = ::dlsym(RTLD_DEFAULT, next.name);
      if (function == nullptr) ::_exit(2);
      arguments.begin(next.rules);
      ::alarm(seconds_for_a_call);
      next.call(function, arguments);
      if (arguments.written_outside()) ::_exit(wrote_outside);
    }
    std::strcpy(progress_->name, "the last call");
    ::_exit(intact(canaries) ? 0 : canary_changed);
  }

  // Memory that no call is given.
  static std::vector<buffer> make_canaries() {
    std::vector<buffer> made;
    made.push_back(*make_device_buffer(device_id{0}, canary_bytes));
    made.push_back(*make_pinned_buffer(canary_bytes));
    for (const buffer& each : made) std::memset(each.data(), canary, canary_bytes);
    return made;
  }
  static bool intact(const std::vector<buffer>& canaries) {
    return std::all_of(canaries.begin(), canaries.end(), [](const buffer& each) {
      return std::all_of(each.data(), each.data() + canary_bytes,
                         [](std::byte b) { return b == std::byte{canary}; });
    });
  }
  static constexpr std::size_t canary_bytes = 65536;
  static constexpr unsigned char canary = 0x5A;

  const unsigned seed_;
  const int calls_;
  progress* const progress_ = static_cast<progress*>(
      ::mmap(nullptr, sizeof(progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
};

}  // namespace convoy::test
