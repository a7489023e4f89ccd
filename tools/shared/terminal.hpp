// Output for people: colours and a progress bar on a terminal, plain text elsewhere.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace convoy::tools {

enum class output { standard, error };

class terminal {
 public:
  explicit terminal(output to = output::standard);

  [[nodiscard]] std::string bold(std::string_view text) const { return coloured(text, "1"); }
  [[nodiscard]] std::string dim(std::string_view text) const { return coloured(text, "2"); }
  [[nodiscard]] std::string good(std::string_view text) const { return coloured(text, "32"); }
  [[nodiscard]] std::string bad(std::string_view text) const { return coloured(text, "31"); }
  [[nodiscard]] std::string warning(std::string_view text) const { return coloured(text, "33"); }

  // Draws a progress bar over the previous one, from 0 to 1; no output unless it is a terminal.
  void show_progress(std::string_view label, double fraction) const;
  void clear_progress() const;

 private:
  [[nodiscard]] std::string coloured(std::string_view text, std::string_view colour) const;

  bool to_error_ = false;
  bool terminal_ = false;
  bool colours_ = false;
};

// "16 KiB", "1.5 GiB", "300 B"
std::string size_text(std::size_t bytes);

// "12.5 us"
std::string time_text(double nanoseconds);

// A number of bytes with an optional K, M or G; throws a failure.
std::size_t parse_size(const std::string& text);

}  // namespace convoy::tools
