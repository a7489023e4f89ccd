// Fuzzes the validation of batches against a reference implementation of the rules.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "support/batch_trial.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  static convoy::test::batch_trial trial;
  const std::string disagreement = trial.disagreement({input, size});
  if (disagreement.empty()) return 0;
  std::fprintf(stderr, "%s\n", disagreement.c_str());
  std::abort();
}
