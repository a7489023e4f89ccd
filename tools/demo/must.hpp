// What the demonstration cannot do without: a refusal ends it with the reason.
#pragma once

#include <convoy/status.hpp>
#include <stdexcept>
#include <utility>

namespace convoy::demo {

inline void must(const status& outcome) {
  if (!outcome.ok()) throw std::runtime_error(explain(outcome));
}

template <class T>
T must(result<T> outcome) {
  must(outcome.error());
  return *std::move(outcome);
}

}  // namespace convoy::demo
