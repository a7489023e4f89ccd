#include <atomic>

#include "support/ascendcl.hpp"
#include "support/eventually.hpp"
#include "support/thread_limit.hpp"

namespace convoy::test {
namespace {

class AclOutOfThreads : public thread_limit_test {
 protected:
  static void start() {
    must_acl(aclInit(nullptr));
    must_acl(aclrtSetDevice(0));
  }
  static void count_up(void* count) { ++*static_cast<std::atomic<int>*>(count); }
};

TEST_F(AclOutOfThreads, CopiesLandByWaitsAndQueries) {
  EXPECT_EXIT(
      {
        if (!forbid_new_threads()) ::_exit(1);
        start();
        const bytes contents = numbered(4 << 20);
        const acl_memory source = on_host(contents);
        const acl_memory target = on_device(bytes(contents.size()));
        const acl_stream stream;
        must_acl(aclrtMemcpyAsync(target.data(), target.size(), source.data(), source.size(),
                                  ACL_MEMCPY_HOST_TO_DEVICE, stream));
        end_well_if(eventually([&] { return is_empty(stream); }) &&
                    contents_of(target) == contents);
      },
      ended_well, "");
}

TEST_F(AclOutOfThreads, HostFunctionIsInternalError) {
  EXPECT_EXIT(
      {
        if (!forbid_new_threads()) ::_exit(1);
        start();
        const acl_stream stream;
        std::atomic<int> ran = 0;
        must_acl(aclrtLaunchHostFunc(stream, count_up, &ran));
        end_well_if(aclrtSynchronizeStream(stream) == ACL_ERROR_RT_INTERNAL_ERROR && ran == 0);
      },
      ended_well, "");
}

TEST_F(AclOutOfThreads, LaterHostFunctionsRun) {
  EXPECT_EXIT(
      {
        start();
        const acl_stream stream;
        const acl_stream other;
        if (!forbid_new_threads()) ::_exit(1);
        std::atomic<int> ran = 0;
        must_acl(aclrtLaunchHostFunc(stream, count_up, &ran));
        must_acl(aclrtLaunchHostFunc(other, count_up, &ran));
        end_well_if(aclrtSynchronizeDevice() == ACL_SUCCESS && ran == 2);
      },
      ended_well, "");
}

}  // namespace
}  // namespace convoy::test
