#include "model/reduction_check.hpp"

#include <cstdint>

namespace convoy {

status check_reduction(const reduction& what) noexcept {
  if (what.kind > reduce_kind::min || what.type > element::float32) {
    return {errc::invalid_argument};
  }
  if (what.dst == nullptr) return {errc::null_pointer, copy_side::destination};
  if (what.src == nullptr) return {errc::null_pointer, copy_side::source};
  if (what.bytes % bytes_of(what.type) != 0) return {errc::invalid_argument};
  return {};
}

status check_apart(const reduction& what) noexcept {
  const auto dst = reinterpret_cast<std::uintptr_t>(what.dst);
  const auto src = reinterpret_cast<std::uintptr_t>(what.src);
  if (dst == src || (dst < src ? src - dst : dst - src) >= what.bytes) return {};
  return {errc::invalid_argument, copy_side::destination, {}, what.dst};
}

}  // namespace convoy
