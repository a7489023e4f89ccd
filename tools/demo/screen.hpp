// What the demonstration shows while it runs: a bar on a terminal, lines of text elsewhere.
#pragma once

#include <string>
#include <string_view>

namespace convoy::demo {

class screen {
 public:
  screen();

  // The bar of one block size, from 0 to 1; without a terminal nothing until it is finished.
  void show(std::string_view label, double part);
  void finish(std::string_view label, std::string_view outcome);

  // Colours when the screen has them and NO_COLOR is not set.
  [[nodiscard]] std::string bold(std::string_view text) const { return painted(text, "1"); }
  [[nodiscard]] std::string green(std::string_view text) const { return painted(text, "32"); }

 private:
  [[nodiscard]] std::string painted(std::string_view text, std::string_view colour) const;

  bool terminal_ = false;
  bool colours_ = false;
};

}  // namespace convoy::demo
