#!/bin/sh
# A program built with NVIDIA's headers and linked against NVIDIA's libcudart, run with Convoy's.
# Usage: nvidia_test.sh BUILD COMPILER
set -eu
# shellcheck source=tests/installed/moved.sh
. "$(dirname "$0")/moved.sh"

toolkit=${CUDA_PATH:-/usr/local/cuda}
[ -e "$toolkit/include/cuda_runtime.h" ] || skip "NVIDIA's CUDA headers are not installed"
[ -e "$toolkit/lib64/libcudart.so" ] || skip "NVIDIA's libcudart.so is not installed"

$CXX -std=c++17 -isystem "$toolkit/include" "$root/examples/cuda_batch.cpp" -o "$work/program" \
  -L"$toolkit/lib64" -lcudart
LD_LIBRARY_PATH="$libraries/cuda" "$work/program" >"$work/said" 2>&1
cat "$work/said"
# The loader complains on standard error about versions that it misses.
if grep -q 'no version information' "$work/said"; then exit 1; fi
