// The limits that programs set before they run kernels. They bind nobody.
#pragma once

#include <cstddef>

#include "state/call_status.hpp"

namespace convoy::cuda {

call_status limit_of(int limit, std::size_t* value);
call_status set_limit(int limit, std::size_t value);

}  // namespace convoy::cuda
