#include "state/thread.hpp"

namespace convoy::cuda {

constinit thread_local thread_state thread_state_in_use;

}  // namespace convoy::cuda
