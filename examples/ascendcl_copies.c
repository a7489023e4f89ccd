/* Three copy functions of AscendCL: a batch, a copy described in device memory, and a copy that is
   asynchronous only for memory that AscendCL allocated.

   cc -std=c11 ascendcl_copies.c $(pkg-config --cflags --libs convoy-ascendcl) */
#include <acl/acl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK ((size_t)4096)
#define BLOCKS ((size_t)8)
#define ALL (BLOCK * BLOCKS)

static void check(aclError code) {
  if (code == ACL_SUCCESS) return;
  fprintf(stderr, "%d: %s\n", code, aclGetRecentErrMsg());
  exit(1);
}

/* Copies blocks of pinned memory to scattered pages of the device, in one call. */
static void copy_scattered(char* device, char* host, aclrtStream stream) {
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
  check(aclrtMemcpyBatchAsync(dsts, sizes, srcs, sizes, BLOCKS, &attribute, &first, 1, &failed,
                              stream));
}

/* Source, destination and length are read from the descriptor when the copy runs. */
static void copy_described(void* descriptor, char* from, char* to, aclrtStream stream) {
  const aclrtMemcpyKind kind = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;
  check(aclrtSetMemcpyDesc(descriptor, kind, from, to, ALL, NULL));
  check(aclrtMemcpyAsyncWithDesc(descriptor, kind, stream));
}

int main(void) {
  char *host, *pages, *pages_copy, result[ALL];
  void* descriptor;
  size_t size;
  aclrtStream stream;
  check(aclInit(NULL));
  check(aclrtSetDevice(0));
  check(aclrtCreateStream(&stream));
  check(aclrtMallocHost((void**)&host, ALL));
  check(aclrtMalloc((void**)&pages, ALL, ACL_MEM_MALLOC_HUGE_FIRST));
  check(aclrtMalloc((void**)&pages_copy, ALL, ACL_MEM_MALLOC_HUGE_FIRST));
  check(aclrtGetMemcpyDescSize(ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, &size));
  check(aclrtMalloc(&descriptor, size, ACL_MEM_MALLOC_HUGE_FIRST));
  for (size_t i = 0; i != ALL; ++i) host[i] = (char)(i / 7);

  copy_scattered(pages, host, stream);
  copy_described(descriptor, pages, pages_copy, stream);
  /* `result` is pageable memory, so this call returns when the copy is done. */
  check(aclrtMemcpyAsyncWithCondition(result, ALL, pages_copy, ALL, ACL_MEMCPY_DEVICE_TO_HOST,
                                      stream));

  int wrong = 0;
  for (size_t i = 0; i != BLOCKS; ++i) {
    wrong += memcmp(result + i * 5 % BLOCKS * BLOCK, host + i * BLOCK, BLOCK) != 0;
  }
  check(aclrtFree(descriptor));
  check(aclrtFree(pages_copy));
  check(aclrtFree(pages));
  check(aclrtFreeHost(host));
  check(aclrtDestroyStream(stream));
  check(aclrtResetDevice(0));
  check(aclFinalize());
  puts(wrong == 0 ? "every block is right" : "a block is wrong");
  return wrong;
}
