#include "state/thread.hpp"

namespace convoy::cuda {

thread_state& this_thread() noexcept {
  static thread_local constinit thread_state thread;
  return thread;
}

}  // namespace convoy::cuda
