#!/bin/sh
# A CUDA program, built against the installed tree by pkg-config and by find_package, and a C file
# that includes the headers.
# Usage: cuda_test.sh BUILD COMPILER
set -eu
# shellcheck source=tests/installed/moved.sh
. "$(dirname "$0")/moved.sh"

export PKG_CONFIG_PATH="$moved/lib/pkgconfig"
# shellcheck disable=SC2046 # a list of words
$CXX -std=c++17 "$root/examples/cuda_batch.cpp" -o "$work/by-pkg-config" \
  $(pkg-config --cflags --libs convoy-cudart)
"$work/by-pkg-config"

# shellcheck disable=SC2046 # a list of words
$CXX -x c -std=c11 -Wall -Werror -c "$here/cuda/headers.c" -o "$work/headers.o" \
  $(pkg-config --cflags convoy-cudart)

cp "$root/examples/cuda_batch.cpp" "$here/cuda/CMakeLists.txt" "$work"
cmake -S "$work" -B "$work/by-cmake" -G Ninja -DCMAKE_PREFIX_PATH="$moved" \
  -DCMAKE_CXX_COMPILER="$CXX" >/dev/null
cmake --build "$work/by-cmake"
"$work/by-cmake/consumer"
