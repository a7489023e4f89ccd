/* A C program: links with -lascendcl, or loads either library by its name. */
#include <acl/acl.h>
#include <acl/acl_mdl.h>
#include <acl/acl_op.h>
#include <acl/acl_op_compiler.h>
#include <acl/acl_prof.h>
#include <acl/ops/acl_dvpp.h>
#include <aclnn/acl_meta.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static int copies_well(void) {
  char here[64] = "from C", back[64] = "";
  void* there = NULL;
  int ok = aclInit(NULL) == 0 && aclrtSetDevice(0) == 0;
  ok = ok && aclrtMalloc(&there, sizeof here, ACL_MEM_MALLOC_HUGE_FIRST) == 0;
  ok = ok && aclrtMemcpy(there, sizeof here, here, sizeof here, ACL_MEMCPY_HOST_TO_DEVICE) == 0;
  ok = ok && aclrtMemcpy(back, sizeof back, there, sizeof back, ACL_MEMCPY_DEVICE_TO_HOST) == 0;
  ok = ok && aclrtFree(there) == 0 && aclrtResetDevice(0) == 0 && aclFinalize() == 0;
  return ok && strcmp(here, back) == 0;
}

/* Both names are one library with one state. */
static int loads(const char* path, const char* other) {
  void* const one = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void* const two = dlopen(other, RTLD_NOW | RTLD_LOCAL);
  if (one == NULL || two == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 0;
  }
  return dlsym(one, "aclrtMemcpyBatchAsync") == dlsym(two, "aclrtMemcpyBatchAsync") &&
         dlsym(one, "aclrtMemcpyBatchAsync") != NULL;
}

int main(int count, char** words) {
  if (!copies_well()) return 1;
  return count != 3 || loads(words[1], words[2]) ? 0 : 1;
}
