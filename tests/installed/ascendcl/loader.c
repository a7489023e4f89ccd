/* A program that knows nothing of the library but the path it is given. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

typedef int (*set_device_function)(int32_t);
typedef int (*malloc_function)(void**, size_t, int);
typedef const char* (*name_function)(void);

int main(int count, char** words) {
  void* memory = NULL;
  void* const library = count == 2 ? dlopen(words[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  /* A function pointer comes out of dlsym as POSIX says it does. */
  set_device_function set_device;
  malloc_function allocate;
  name_function name;
  *(void**)&set_device = dlsym(library, "aclrtSetDevice");
  *(void**)&allocate = dlsym(library, "aclrtMalloc");
  *(void**)&name = dlsym(library, "aclrtGetSocName");
  if (set_device == NULL || allocate == NULL || name == NULL) return 1;
  return set_device(0) == 0 && allocate(&memory, 64, 0) == 0 && name() != NULL ? 0 : 1;
}
