// Watching without touching: what a stream tells about its steps.
//
// Calls arrive on whichever thread made them happen, also from several at once, and must not block.
#pragma once

#include <convoy/ids.hpp>
#include <convoy/status.hpp>
#include <cstddef>
#include <cstdint>

namespace convoy {

enum class step_kind : std::uint8_t {
  copies,
  pitched,
  fill,
  indirect,
  function,
  record,
  wait,
  release
};

struct step_summary {
  step_kind kind = step_kind::copies;
  std::size_t items = 0;
  std::size_t bytes = 0;
};

struct step_place {
  std::uint64_t stream = 0;
  ticket at = {};
  step_summary what;
};

class observer {
 public:
  virtual ~observer() = default;
  virtual void submitted(const step_place& step) = 0;
  virtual void started(const step_place& step) = 0;
  virtual void landed(const step_place& step, const status& outcome) = 0;
};

}  // namespace convoy
