#!/bin/sh
# Programs with kernels and variables, built by nvcc, run with Convoy's library.
# Usage: nvcc_test.sh BUILD COMPILER
set -eu
# shellcheck source=tests/installed/moved.sh
. "$(dirname "$0")/moved.sh"

nvcc=${CUDA_PATH:-/usr/local/cuda}/bin/nvcc
[ -x "$nvcc" ] || nvcc=$(command -v nvcc) || skip "nvcc is not installed"

for streams in legacy per-thread; do
  "$nvcc" -cudart shared --default-stream "$streams" -ccbin "$CXX" \
    -I"$moved/include" "$here/cuda/kernels.cu" -o "$work/$streams"
  LD_LIBRARY_PATH="$libraries/cuda" "$work/$streams"
done

# NVIDIA's runtime inside the program cannot work here, and standard error says so.
"$nvcc" -cudart static -ccbin "$CXX" -I"$moved/include" "$here/cuda/static.cu" -o "$work/static"
if LD_LIBRARY_PATH="$libraries/cuda" "$work/static" 2>"$work/warned"; then exit 1; fi
cat "$work/warned"
grep -q "NVIDIA's CUDA runtime (linked statically into $work/static)" "$work/warned"
