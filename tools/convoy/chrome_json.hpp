// A trace in the form that chrome://tracing and ui.perfetto.dev open.
#pragma once

#include <string>

#include "recordings.hpp"

namespace convoy::tools {

std::string make_chrome_json(const recordings& all);

}  // namespace convoy::tools
