// What moves the bytes.
//
// Work arrives checked, with the engine's own addresses. A device lands every copy it can; when
// some cannot land, the status names the lowest item among them.
#pragma once

#include <convoy/copy.hpp>
#include <convoy/reduction.hpp>
#include <convoy/status.hpp>
#include <cstddef>
#include <cstdint>
#include <span>

namespace convoy {

// The copies of one step, with what was learned while they were checked.
struct copy_work {
  std::span<const copy> copies;
  std::size_t bytes = 0;
  std::size_t largest = 0;
  std::uintptr_t line_bits = 0;  // every destination and size, combined by OR
};

class device_port {
 public:
  virtual ~device_port() = default;
  virtual status run(const copy_work& work) = 0;
  virtual status run(const pitched_copy& work) = 0;
  virtual status fill(const pitched& where, const box& extent, fill_pattern pattern) = 0;
  virtual status reduce(const reduction& work) = 0;

  // True when nothing but the device's own code runs in the calls above.
  [[nodiscard]] virtual bool calls_nobody() const noexcept { return false; }
};

}  // namespace convoy
