// The HTML page that shows a trace: one file without external references.
#pragma once

#include <string>
#include <string_view>

#include "recordings.hpp"

namespace convoy::tools {

// page.html, with a marker where the recordings are inserted.
std::string_view page_template();

std::string make_page(const recordings& all);

}  // namespace convoy::tools
