/* Linked with neither library: functions of both that a preload provides, or not. */
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <string.h>

#pragma weak cudaMalloc
#pragma weak cuInit

/* Usage: weak runtime|driver...: succeeds if exactly the named functions are there. */
int main(int argc, char** argv) {
  int runtime = 0;
  int driver = 0;
  for (int i = 1; i != argc; ++i) {
    if (strcmp(argv[i], "runtime") == 0) runtime = 1;
    if (strcmp(argv[i], "driver") == 0) driver = 1;
  }
  if ((cudaMalloc != NULL) != runtime || (cuInit != NULL) != driver) return 1;
  return driver ? (int)cuInit(0) : 0;
}
