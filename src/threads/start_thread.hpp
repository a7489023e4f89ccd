// Starts the threads of the engine. The system may have none left: a limit on the processes of a
// user (RLIMIT_NPROC) or of a cgroup counts threads as well.
#pragma once

#include <functional>
#include <thread>
#include <vector>

namespace convoy::threads {

enum class thread_end { joined, abandoned };

// Returns a running thread, or throws std::system_error; tests use one that throws.
using thread_starter = std::function<std::thread(std::function<void()> body)>;
std::thread start_std_thread(std::function<void()> body);

// Starts a thread; adds it to `joined`, or detaches it when it is to be abandoned. False when the
// system has no thread left.
bool start_thread(const thread_starter& start, std::vector<std::thread>& joined, thread_end end,
                  std::function<void()> body);

}  // namespace convoy::threads
