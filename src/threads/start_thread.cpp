#include "threads/start_thread.hpp"

#include <system_error>
#include <utility>

namespace convoy::threads {

std::thread start_std_thread(std::function<void()> body) { return std::thread(std::move(body)); }

bool start_thread(const thread_starter& start, std::vector<std::thread>& joined, thread_end end,
                  std::function<void()> body) {
  if (end == thread_end::joined) joined.reserve(joined.size() + 1);  // may throw
  std::thread made;
  try {
    made = start(std::move(body));
  } catch (const std::system_error&) {
    return false;
  }
  if (end == thread_end::joined) {
    joined.push_back(std::move(made));
  } else {
    made.detach();
  }
  return true;
}

}  // namespace convoy::threads
