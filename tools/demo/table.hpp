// The results as text and as JSON.
#pragma once

#include <span>
#include <string>

#include "measure.hpp"
#include "shared/terminal.hpp"

namespace convoy::tools {

std::string table_text(std::span<const row> rows, const terminal& out);

// The averages of the table, in a sentence.
std::string meaning_text(std::span<const row> rows, int processors);

// The rows as `convoy bench --from` reads them. Throws when the file cannot be written.
void write_json(const std::string& file, std::span<const row> rows, int processors);

}  // namespace convoy::tools
