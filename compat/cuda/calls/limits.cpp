#include "calls/limits.hpp"

#include <iterator>

namespace convoy::cuda {
namespace {

// In the order of cudaLimit.
constexpr std::size_t limits[] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};

bool is_limit(int limit) { return limit >= 0 && limit < static_cast<int>(std::size(limits)); }

}  // namespace

call_status limit_of(int limit, std::size_t* value) {
  if (value == nullptr) return cudaErrorInvalidValue;
  if (!is_limit(limit)) return cudaErrorUnsupportedLimit;
  *value = limits[limit];
  return cudaSuccess;
}

call_status set_limit(int limit, std::size_t) {
  return is_limit(limit) ? cudaSuccess : cudaErrorUnsupportedLimit;
}

}  // namespace convoy::cuda
