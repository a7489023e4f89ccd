// What was measured, for people and for programs.

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

// Rows against variants, and the ratios that matter.
void print_summary(const std::vector<measured_row>& rows);

// False when the file cannot be written.
bool write_json(const std::vector<measured_row>& rows, const std::string& path);

}  // namespace convoy::bench
