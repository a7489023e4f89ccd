#!/bin/sh
# A C program of the driver interface, built against the installed tree with -lcuda; once more for
# a default stream of each thread.
# Usage: cuda_driver_test.sh BUILD COMPILER
set -eu
# shellcheck source=tests/installed/moved.sh
. "$(dirname "$0")/moved.sh"

for stream in LEGACY CUDA_API_PER_THREAD_DEFAULT_STREAM; do
  $CXX -x c -std=c11 -Wall -Wextra -Werror -D$stream "$here/cuda/driver_batch.c" \
    -o "$work/program" -I"$moved/include/convoy/compat/cuda" -L"$libraries/cuda" -lcuda \
    -Wl,-rpath,"$libraries/cuda"
  "$work/program"
done
