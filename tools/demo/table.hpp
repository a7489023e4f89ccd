// The outcome, for people.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "measure.hpp"
#include "screen.hpp"

namespace convoy::demo {

// "16 KiB"
std::string size_text(std::size_t bytes);

std::string table_text(std::span<const row> rows, const screen& shown_on);

// What the table says, in a sentence.
std::string meaning_text(std::span<const row> rows, int processors);

// The rows as `convoy bench --from` reads them. Throws when the file cannot be written.
void write_json(const std::string& file, std::span<const row> rows, int processors);

}  // namespace convoy::demo
