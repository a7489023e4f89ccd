/* The three copies of AscendCL that Convoy is about: a batch, a copy described in device memory,
   and a copy that waits only for memory it does not know.

   cc -std=c11 ascendcl_copies.c $(pkg-config --cflags --libs convoy-ascendcl) */
#include <acl/acl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK ((size_t)4096)
#define BLOCKS ((size_t)8)
#define ALL (BLOCK * BLOCKS)

static void must(aclError code) {
  if (code == ACL_SUCCESS) return;
  fprintf(stderr, "%d: %s\n", code, aclGetRecentErrMsg());
  exit(1);
}

/* Blocks of pinned memory go to scattered pages of the device, in one call. */
static void scatter(char* device, char* host, aclrtStream stream) {
  void *dsts[BLOCKS], *srcs[BLOCKS];
  size_t sizes[BLOCKS], first = 0, failed = 0;
  for (size_t i = 0; i != BLOCKS; ++i) {
    dsts[i] = device + i * 5 % BLOCKS * BLOCK;
    srcs[i] = host + i * BLOCK;
    sizes[i] = BLOCK;
  }
  aclrtMemcpyBatchAttr attribute = {0};
  attribute.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  attribute.srcLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
  must(aclrtMemcpyBatchAsync(dsts, sizes, srcs, sizes, BLOCKS, &attribute, &first, 1, &failed,
                             stream));
}

/* Source, destination and length are read from the descriptor when the copy executes. */
static void copy_described(void* descriptor, char* from, char* to, aclrtStream stream) {
  const aclrtMemcpyKind kind = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;
  must(aclrtSetMemcpyDesc(descriptor, kind, from, to, ALL, NULL));
  must(aclrtMemcpyAsyncWithDesc(descriptor, kind, stream));
}

int main(void) {
  char *host, *one, *two, back[ALL];
  void* descriptor;
  size_t size;
  aclrtStream stream;
  must(aclInit(NULL));
  must(aclrtSetDevice(0));
  must(aclrtCreateStream(&stream));
  must(aclrtMallocHost((void**)&host, ALL));
  must(aclrtMalloc((void**)&one, ALL, ACL_MEM_MALLOC_HUGE_FIRST));
  must(aclrtMalloc((void**)&two, ALL, ACL_MEM_MALLOC_HUGE_FIRST));
  must(aclrtGetMemcpyDescSize(ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, &size));
  must(aclrtMalloc(&descriptor, size, ACL_MEM_MALLOC_HUGE_FIRST));
  for (size_t i = 0; i != ALL; ++i) host[i] = (char)(i / 7);

  scatter(one, host, stream);
  copy_described(descriptor, one, two, stream);
  /* `back` is no memory of AscendCL's, so this returns when all of it has happened. */
  must(aclrtMemcpyAsyncWithCondition(back, ALL, two, ALL, ACL_MEMCPY_DEVICE_TO_HOST, stream));

  int wrong = 0;
  for (size_t i = 0; i != BLOCKS; ++i) {
    wrong += memcmp(back + i * 5 % BLOCKS * BLOCK, host + i * BLOCK, BLOCK) != 0;
  }
  must(aclrtFree(descriptor));
  must(aclrtFree(two));
  must(aclrtFree(one));
  must(aclrtFreeHost(host));
  must(aclrtDestroyStream(stream));
  must(aclrtResetDevice(0));
  must(aclFinalize());
  puts(wrong == 0 ? "every block arrived" : "a block is wrong");
  return wrong;
}
