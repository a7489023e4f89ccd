// Results as text and as JSON.

#pragma once

#include <string>
#include <vector>

#include "runner.hpp"

namespace convoy::bench {

struct measured_row {
  std::string name;
  std::vector<outcome> outcomes;
};

void print_row(const measured_row& row);

// A table of rows and variants, with the ratios between families.
void print_summary(const std::vector<measured_row>& rows);

// False when the file cannot be written.
bool write_json(const std::vector<measured_row>& rows, const std::string& path);

}  // namespace convoy::bench
