// The page that shows a trace: one file that needs neither a network nor anything beside it.
#pragma once

#include <string>
#include <string_view>

#include "recordings.hpp"

namespace convoy::tools {

// page.html, with a mark where the recordings go.
std::string_view page_template();

std::string make_page(const recordings& all);

}  // namespace convoy::tools
