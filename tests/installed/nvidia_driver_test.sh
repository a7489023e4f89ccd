#!/bin/sh
# A program of both interfaces, built with NVIDIA's headers and linked against NVIDIA's libraries,
# run with Convoy's: libcuda.so.1 and libcudart.so.13 are then one.
# Usage: nvidia_driver_test.sh BUILD COMPILER
set -eu
# shellcheck source=tests/installed/moved.sh
. "$(dirname "$0")/moved.sh"

toolkit=${CUDA_PATH:-/usr/local/cuda}
[ -e "$toolkit/include/cuda.h" ] || skip "NVIDIA's CUDA headers are not installed"
[ -e "$toolkit/lib64/stubs/libcuda.so" ] || skip "NVIDIA's libcuda.so to link with is not installed"
[ -e "$toolkit/lib64/libcudart.so" ] || skip "NVIDIA's libcudart.so is not installed"

$CXX -x c -std=c11 -isystem "$toolkit/include" "$here/cuda/driver_batch.c" -o "$work/program" \
  -Wl,--no-as-needed -L"$toolkit/lib64/stubs" -lcuda -L"$toolkit/lib64" -lcudart
LD_LIBRARY_PATH="$libraries/cuda" "$work/program"
