#!/bin/sh
# Programs that are built with a sanitizer, by every compiler there is, run on the installed
# libraries, which are not: ThreadSanitizer has nothing to report, and under AddressSanitizer a bad
# pointer stays an error.
# Usage: sanitized_test.sh BUILD COMPILER
set -eu
# shellcheck source=tests/installed/moved.sh
. "$(dirname "$0")/moved.sh"

if nm --dynamic "$moved/lib/libconvoy.so" | grep -qE '__(asan|tsan)_init'; then
  skip "the libraries are built with a sanitizer"
fi
export PKG_CONFIG_PATH="$moved/lib/pkgconfig"
export LD_LIBRARY_PATH="$libraries/cuda:$libraries/ascend"
echo 'int main() {}' >"$work/empty.cpp"

# can_use COMPILER SANITIZER: it is installed, and works with the memory layout of this system.
can_use() {
  "$1" -fsanitize="$2" "$work/empty.cpp" -o "$work/empty" 2>/dev/null && "$work/empty" 2>/dev/null
}

# run COMPILER SANITIZER PROGRAM PACKAGE
run() {
  # shellcheck disable=SC2046 # a list of words
  "$1" -std=c++20 -O1 -g -fsanitize="$2" "$here/sanitized/$3.cpp" -o "$work/$3" \
    $(pkg-config --cflags --libs "$4")
  "$work/$3" || {
    echo "$3 failed with -fsanitize=$2 of $1" >&2
    exit 1
  }
}

export TSAN_OPTIONS=exitcode=66
unset ASAN_OPTIONS
ran=no
for compiler in g++ clang++; do
  for sanitizer in thread address; do
    can_use $compiler $sanitizer || continue
    ran=yes
    run $compiler $sanitizer native convoy
    pkg-config --exists convoy-cudart && run $compiler $sanitizer cuda convoy-cudart
    pkg-config --exists convoy-ascendcl && run $compiler $sanitizer ascendcl convoy-ascendcl
  done
done
test $ran = yes || skip "no compiler here has a sanitizer that works"
