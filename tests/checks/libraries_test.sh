#!/bin/sh
# check_needed names libraries that are not allowed; check_versions names symbols without their
# node, and others that have one; without a node, symbols that have one.
set -eu
# shellcheck source=tests/checks/expect.sh
. "$(dirname "$0")/expect.sh"

# library NAME FLAGS...: compiles standard input as C into a shared library of that name.
library() {
  name=$1
  shift
  ${CC:-cc} -x c -shared -fPIC -o "$tree/$name" - "$@"
}
check() (
  cd "$tree"
  script=$1
  shift
  "$root/scripts/$script" "$@"
)

echo 'int twice(int n) { return 2 * n; }' | library libtwice.so -Wl,-soname,libtwice.so.1
echo 'int twice(int); int four(void) { return twice(2); }' |
  library four.so -x none "$tree/libtwice.so"
expect_clean check check_needed four.so libc.so libtwice.so
expect_fault 'needs libtwice.so.1' check check_needed four.so libc.so

printf 'first\nsecond unsupported\n' | plant names.txt
printf 'NODE { global: first; second; local: _Z*; };\n' | plant all.map
printf 'NODE { global: first; third; };\n' | plant other.map
code='int first, second, third;'
echo "$code" | library all.so "-Wl,--version-script=$tree/all.map"
expect_clean check check_versions all.so NODE names.txt
echo "$code" | library other.so "-Wl,--version-script=$tree/other.map"
expect_fault "second is not NODE's" check check_versions other.so NODE names.txt
expect_fault 'third has the version NODE' check check_versions other.so NODE names.txt
echo "$code" | library none.so
expect_clean check check_versions none.so '' names.txt
expect_fault 'first is not without a version' check check_versions all.so '' names.txt
