#include "observe/failure_log.hpp"

#include <fmt/format.h>

#include "os/fault_guard.hpp"

namespace convoy {

void failure_log::landed(const observed_step& step, const status& outcome) {
  if (outcome.ok()) return;
  const std::string item = outcome.item ? fmt::format(", item {}", *outcome.item) : "";
  status without_item = outcome;
  without_item.item.reset();
  os::write_error(fmt::format("convoy: stream {}, ticket {}{}: {}: {}\n", step.stream,
                              number(step.position), item, name(outcome.code),
                              explain(without_item))
                      .c_str());
}

}  // namespace convoy
