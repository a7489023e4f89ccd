#!/bin/sh
# The installed CUDA libraries, each loaded, preloaded and found in the ways that programs use.
# Usage: cuda_loading_test.sh BUILD COMPILER
set -eu
# shellcheck source=tests/installed/moved.sh
. "$(dirname "$0")/moved.sh"

compile_c() {
  $CXX -x c -std=c11 -Wall -Wextra -Werror "-I$moved/include/convoy/compat/cuda" "$@"
}
fail() {
  echo "$1" >&2
  exit 1
}

for library in libcuda.so.1 libcudart.so.13; do
  [ ! -L "$libraries/cuda/$library" ] || fail "$library is a link"
  readelf -d "$libraries/cuda/$library" | grep -q "SONAME.*\[$library\]" ||
    fail "$library has another SONAME"
done

compile_c "$here/cuda/loading.c" -o "$work/loading" -ldl
for way in local driver-first namespaces destructor; do
  "$work/loading" $way "$libraries/cuda"
done

# Another libcuda.so.1: refused if it is loaded already, and not found through LD_LIBRARY_PATH.
mkdir "$work/other"
echo 'int cuInit(unsigned flags) { return flags == 0 ? 999 : 1; }' |
  $CXX -x c -shared -fPIC - -o "$work/other/libcuda.so.1" -Wl,-soname,libcuda.so.1
"$work/loading" other-driver "$libraries/cuda" "$work/other/libcuda.so.1"
LD_LIBRARY_PATH=$work/other "$work/loading" local "$libraries/cuda"

# A preload of the driver alone does not stand for the runtime. The runtime brings the driver.
compile_c "$here/cuda/weak.c" -o "$work/weak" -Wl,-z,lazy
"$work/weak"
LD_PRELOAD=$libraries/cuda/libcuda.so.1 "$work/weak" driver
LD_PRELOAD=$libraries/cuda/libcudart.so.13 "$work/weak" runtime driver

# shellcheck disable=SC2046 # a list of words
PKG_CONFIG_PATH=$moved/lib/pkgconfig \
  $CXX -std=c++17 "$root/examples/cuda_batch.cpp" -o "$work/program" \
  $(PKG_CONFIG_PATH=$moved/lib/pkgconfig pkg-config --cflags --libs convoy-cudart)
LD_PRELOAD=$libraries/cuda/libcuda.so.1 "$work/program"
