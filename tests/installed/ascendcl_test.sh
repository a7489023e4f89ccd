#!/bin/sh
# Installs the given build, moves the tree elsewhere, and builds and runs AscendCL programs in C and
# C++ against it, by find_package and by pkg-config; and looks at what the library brings along.
# Usage: ascendcl_test.sh BUILD CC CXX
set -eu

build=$1
export CC="$2" CXX="$3"
here=$(cd "$(dirname "$0")" && pwd)/ascendcl
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"

cmake -S "$here" -B "$work/by-cmake" -G Ninja -DCMAKE_PREFIX_PATH="$work/moved" >/dev/null
cmake --build "$work/by-cmake" >/dev/null
"$work/by-cmake/in_c"
"$work/by-cmake/in_cpp"

export PKG_CONFIG_PATH="$work/moved/lib/pkgconfig"
flags=$(pkg-config --cflags --libs convoy-ascendcl)
libraries=$(pkg-config --variable=libdir convoy-ascendcl)
strict="-Wall -Wextra -Wpedantic -Werror"
# shellcheck disable=SC2086 # lists of words
$CC -std=c11 -D_DEFAULT_SOURCE $strict "$here/program.c" -o "$work/in_c" $flags -ldl
# shellcheck disable=SC2086 # lists of words
$CXX -std=c++17 $strict "$here/program.cpp" -o "$work/in_cpp" $flags
# The engine is found by the library itself; programs only have to find the library.
export LD_LIBRARY_PATH="$libraries"
"$work/in_c" "$libraries/libascendcl.so" "$libraries/libacl_rt.so"
"$work/in_cpp"

unset LD_LIBRARY_PATH
# shellcheck disable=SC2086 # a list of words
$CC -std=c11 $strict "$here/loader.c" -o "$work/loader" -ldl
"$work/loader" "$libraries/libascendcl.so"
"$work/loader" "$libraries/libacl_rt.so"

# The libraries beside it need it alone, and find it from wherever they were loaded.
for library in acl_op_compiler msprofiler nnopbase; do
  "$work/loader" "$libraries/lib$library.so"
done

needed=$(readelf --dynamic "$libraries/libascendcl.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
for library in $needed; do
  case $library in
    libconvoy.so.* | libc.so.* | libm.so.* | libstdc++.so.* | libgcc_s.so.* | ld-linux*) ;;
    *)
      echo "libascendcl.so needs $library" >&2
      exit 1
      ;;
  esac
done
