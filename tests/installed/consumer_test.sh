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
  $(pkg-config --cflags --libs convoy)
"$work/by-pkg-config"

# The dynamic linker knows these prefixes.
for prefix in /usr /usr/local; do
  DESTDIR=$work/system cmake --install "$build" --prefix $prefix >/dev/null
  if grep rpath "$work/system$prefix/lib/pkgconfig/convoy.pc"; then exit 1; fi
done

# An older standard ends in one sentence.
echo '#include <convoy/convoy.hpp>' >"$work/old.cpp"
# shellcheck disable=SC2046 # a list of words
if $CXX -std=c++17 -fsyntax-only "$work/old.cpp" $(pkg-config --cflags convoy) 2>"$work/errors"; then
  exit 1
fi
grep -q 'Convoy needs C++20' "$work/errors"
