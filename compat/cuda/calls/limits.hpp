// The limits that programs set before they run kernels. They bind nobody.
#pragma once

#include <cstddef>

#include "state/outcome.hpp"

namespace convoy::cuda {

outcome limit_of(int limit, std::size_t* value);
outcome set_limit(int limit, std::size_t value);

}  // namespace convoy::cuda
