// A trace file in a temporary folder, removed with the object.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <variant>

#include "trace/trace_reader.hpp"

namespace convoy::test {

class trace_file {
 public:
  trace_file() {
    std::string pattern = testing::TempDir() + "/convoy_XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
  }
  ~trace_file() { std::filesystem::remove_all(folder_); }
  trace_file(const trace_file&) = delete;
  trace_file& operator=(const trace_file&) = delete;

  [[nodiscard]] std::string path() const { return folder_ / "made.trace"; }

 private:
  std::filesystem::path folder_;
};

inline trace::recording recording_in(const std::string& path) {
  auto found = trace::read_trace(path);
  if (const auto* const problem = std::get_if<std::string>(&found)) {
    throw std::runtime_error(*problem);
  }
  return std::get<trace::recording>(std::move(found));
}

}  // namespace convoy::test
