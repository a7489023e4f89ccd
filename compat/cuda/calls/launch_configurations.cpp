#include "calls/launch_configurations.hpp"

#include <array>
#include <cstddef>

namespace convoy::cuda {
namespace {

struct configuration_stack {
  std::array<launch_configuration, 16> held = {};
  std::size_t depth = 0;
};

constinit thread_local configuration_stack stack;

}  // namespace

bool push_configuration(const launch_configuration& pushed) noexcept {
  if (stack.depth == stack.held.size()) return false;
  stack.held[stack.depth++] = pushed;
  return true;
}

bool pop_configuration(launch_configuration* popped) noexcept {
  if (stack.depth == 0) return false;
  *popped = stack.held[--stack.depth];
  return true;
}

}  // namespace convoy::cuda
