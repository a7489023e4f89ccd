// Records every step, every allocation and every helping thread in a trace file.
#pragma once

#include <memory>
#include <string>

#include "seam/observer.hpp"
#include "trace/trace_writer.hpp"

namespace convoy::trace {

class tracer final : public observer {
 public:
  // Null, with the reason in `problem` as in "x is a symbolic link", when the file cannot be
  // written; "%p" in its name is replaced by the PID.
  static std::unique_ptr<tracer> create(const std::string& path, std::string& problem);

  void submitted(const observed_step& step) override;
  void started(const observed_step& step) override;
  void landed(const observed_step& step, const status& outcome) override;
  void helped(observed_step::time from, observed_step::time until) override;
  void allocated(const observed_memory& memory) override;
  void freed(const observed_memory& memory) override;

  // Trims the file, and says on standard error what was lost.
  void trim();

 private:
  tracer(std::unique_ptr<trace_writer> writer, observed_step::time start)
      : writer_(std::move(writer)), start_(start) {}
  [[nodiscard]] std::uint64_t since_start(observed_step::time when) const noexcept;
  void add_shape(const observed_step& step);

  const std::unique_ptr<trace_writer> writer_;
  const observed_step::time start_;
};

}  // namespace convoy::trace
