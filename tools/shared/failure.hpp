// Why a verb cannot go on: one sentence, with the fix in it.
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

// The value of an answer that has to be one.
template <class T>
T must(result<T> answer) {
  if (!answer) throw failure(explain(answer.error()));
  return *std::move(answer);
}
inline void must(const status& answer) {
  if (!answer.ok()) throw failure(explain(answer));
}

}  // namespace convoy::tools
