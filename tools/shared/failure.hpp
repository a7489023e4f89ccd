// An error that ends a tool: one sentence, with the remedy.
#pragma once

#include <convoy/status.hpp>
#include <stdexcept>
#include <string>
#include <utility>

namespace convoy::tools {

class failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The value of a result; throws a failure when it is an error.
template <class T>
T must(result<T> answer) {
  if (!answer) throw failure(explain(answer.error()));
  return *std::move(answer);
}
inline void must(const status& answer) {
  if (!answer.ok()) throw failure(explain(answer));
}

}  // namespace convoy::tools
