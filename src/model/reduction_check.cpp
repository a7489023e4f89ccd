#include "model/reduction_check.hpp"

#include <cstdint>

namespace convoy {

status check_reduction(const reduction& wanted) noexcept {
  if (wanted.kind > reduce_kind::min || wanted.type > element::float32) {
    return {errc::invalid_argument};
  }
  if (wanted.dst == nullptr) return {errc::null_pointer, copy_side::destination};
  if (wanted.src == nullptr) return {errc::null_pointer, copy_side::source};
  if (wanted.bytes % bytes_of(wanted.type) != 0) return {errc::invalid_argument};
  return {};
}

status check_disjoint(const reduction& wanted) noexcept {
  const auto dst = reinterpret_cast<std::uintptr_t>(wanted.dst);
  const auto src = reinterpret_cast<std::uintptr_t>(wanted.src);
  if (dst == src || (dst < src ? src - dst : dst - src) >= wanted.bytes) return {};
  return {errc::invalid_argument, copy_side::destination, {}, wanted.dst};
}

}  // namespace convoy
