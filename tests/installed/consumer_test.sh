#!/bin/sh
# Installs the given build, moves the tree elsewhere, and builds and runs a program against it,
# once by find_package and once by pkg-config.
# Usage: consumer_test.sh BUILD COMPILER
set -eu

build=$1
export CXX="$2"
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The tree must not remember where it was installed.
cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"

cmake -S "$here/consumer" -B "$work/by-cmake" -G Ninja -DCMAKE_PREFIX_PATH="$work/moved" >/dev/null
cmake --build "$work/by-cmake"
"$work/by-cmake/consumer"

export PKG_CONFIG_PATH="$work/moved/lib/pkgconfig"
# shellcheck disable=SC2046 # a list of words
$CXX -std=c++20 "$here/consumer/main.cpp" -o "$work/by-pkg-config" \
  $(pkg-config --cflags --libs convoy) -Wl,-rpath,"$(pkg-config --variable=libdir convoy)"
"$work/by-pkg-config"
