// Fuzzes aclrtMemcpyBatchAsync: a batch is copied completely or refused without a copy.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "support/acl_batch_trial.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  static const aclError ready = aclrtSetDevice(0);
  static convoy::test::acl_batch_trial trial;
  const std::string problem = trial.problem({input, size});
  if (ready == ACL_SUCCESS && problem.empty()) return 0;
  std::fprintf(stderr, "%s\n", problem.c_str());
  std::abort();
}
