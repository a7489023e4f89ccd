#include <convoy/api_function.hpp>

namespace convoy {

constinit thread_local const char* api_function = nullptr;
constinit thread_local bool refusal_reported = false;

}  // namespace convoy
