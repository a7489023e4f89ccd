/* Loads Convoy's CUDA libraries from the folder in argv[2] in the way that argv[1] names. */
#define _GNU_SOURCE
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                             \
  do {                                                               \
    if (!(condition)) {                                              \
      fprintf(stderr, "line %d: %s failed\n", __LINE__, #condition); \
      exit(1);                                                       \
    }                                                                \
  } while (0)

typedef cudaError_t (*malloc_function)(void**, size_t);
typedef cudaError_t (*free_function)(void*);
typedef CUresult (*attribute_function)(void*, CUpointer_attribute, CUdeviceptr);

static const char* folder;

static const char* path_of(const char* name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

/* A pointer that the runtime allocates is memory of a device to the driver. */
static void check_shared_state(void* runtime, void* driver) {
  const malloc_function allocate = (malloc_function)dlsym(runtime, "cudaMalloc");
  const free_function release = (free_function)dlsym(runtime, "cudaFree");
  const attribute_function query = (attribute_function)dlsym(driver, "cuPointerGetAttribute");
  void* memory = NULL;
  unsigned type = 0;
  CHECK(allocate != NULL && release != NULL && query != NULL);
  CHECK(allocate(&memory, 64) == cudaSuccess);
  CHECK(query(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)memory) == CUDA_SUCCESS);
  CHECK(type == CU_MEMORYTYPE_DEVICE);
  CHECK(release(memory) == cudaSuccess);
}

/* The driver is found by its name alone once the runtime is loaded, and exports nothing else. */
static void load_local(void) {
  void* const runtime = dlopen(path_of("libcudart.so.13"), RTLD_NOW | RTLD_LOCAL);
  CHECK(runtime != NULL);
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  CHECK(driver != NULL);
  CHECK(dlsym(RTLD_DEFAULT, "cudaMalloc") == NULL && dlsym(RTLD_DEFAULT, "cuInit") == NULL);
  CHECK(dlsym(driver, "cudaMalloc") == NULL);
  check_shared_state(runtime, driver);
  CHECK(dlclose(driver) == 0 && dlclose(runtime) == 0);
}

static void load_driver_first(void) {
  void* const driver = dlopen(path_of("libcuda.so.1"), RTLD_LAZY | RTLD_LOCAL);
  CHECK(driver != NULL);
  CHECK(dlopen("libcudart.so.13", RTLD_NOW | RTLD_NOLOAD) == NULL);
  void* const runtime = dlopen(path_of("libcudart.so.13"), RTLD_LAZY | RTLD_LOCAL);
  CHECK(runtime != NULL);
  check_shared_state(runtime, driver);
}

/* Each namespace has libraries and devices of its own. */
static void load_in_namespaces(void) {
  for (int i = 0; i != 2; ++i) {
    void* const runtime = dlmopen(LM_ID_NEWLM, path_of("libcudart.so.13"), RTLD_NOW);
    Lmid_t space = 0;
    CHECK(runtime != NULL);
    CHECK(dlinfo(runtime, RTLD_DI_LMID, &space) == 0);
    void* const driver = dlmopen(space, "libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    CHECK(driver != NULL);
    check_shared_state(runtime, driver);
  }
}

/* argv[3] is another library that calls itself libcuda.so.1. */
static void load_after_other_driver(const char* other) {
  CHECK(dlopen(other, RTLD_NOW | RTLD_GLOBAL) != NULL);
  CHECK(dlopen(path_of("libcudart.so.13"), RTLD_NOW) == NULL);
  const char* const message = dlerror();
  puts(message);
  CHECK(strstr(message, "CONVOY_LIBCUDA") != NULL);
}

static void* runtime_at_exit;
static void* kept;

__attribute__((destructor)) static void free_after_main(void) {
  if (runtime_at_exit == NULL) return;
  const free_function release = (free_function)dlsym(runtime_at_exit, "cudaFree");
  if (release(kept) != cudaSuccess) _Exit(1);
}

static void free_in_destructor(void) {
  runtime_at_exit = dlopen(path_of("libcudart.so.13"), RTLD_NOW);
  CHECK(runtime_at_exit != NULL);
  CHECK(((malloc_function)dlsym(runtime_at_exit, "cudaMalloc"))(&kept, 64) == cudaSuccess);
}

int main(int argc, char** argv) {
  CHECK(argc >= 3);
  folder = argv[2];
  if (strcmp(argv[1], "local") == 0) {
    load_local();
  } else if (strcmp(argv[1], "driver-first") == 0) {
    load_driver_first();
  } else if (strcmp(argv[1], "namespaces") == 0) {
    load_in_namespaces();
  } else if (strcmp(argv[1], "destructor") == 0) {
    free_in_destructor();
  } else {
    CHECK(argc == 4 && strcmp(argv[1], "other-driver") == 0);
    load_after_other_driver(argv[3]);
  }
  return 0;
}
