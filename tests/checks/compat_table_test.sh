#!/bin/sh
# compat_table writes a page from the lists; --check names a page that no longer matches, and counts
# that README.md lacks.
set -eu
# shellcheck source=tests/checks/expect.sh
. "$(dirname "$0")/expect.sh"

page=docs/compat-ascendcl.md
table() { "$root/scripts/compat_table" "$@" "$tree"; }
expect_row() { expect_clean grep -qxF -- "$1" "$tree/$page"; }

printf '# the list\naclrtMalloc\naclopCreateAttr unsupported null\naclrtReduceAsync unsupported\n' | plant compat/ascendcl/exports/exports.txt
printf '> not supported: 2 of 3 in\n>   AscendCL\n' | plant README.md
mkdir -p "$tree/docs"
expect_clean table $page
# shellcheck disable=SC2016 # the names stand in backquotes
{
  expect_row '| `aclrtMalloc` | yes |  |'
  expect_row '| `aclopCreateAttr` |  | null |'
  expect_row '| `aclrtReduceAsync` |  | yes |'
}
expect_row '1 of 3 functions work.'
expect_clean table --check $page

echo aclrtFree >>"$tree/compat/ascendcl/exports/exports.txt"
expect_fault "$page is not up to date" table --check $page
expect_clean table $page
expect_fault 'README.md does not say "2 of 4 in AscendCL"' table --check $page
printf 'not supported: 12 of 4 in AscendCL\n' | plant README.md
expect_fault 'README.md does not say "2 of 4 in AscendCL"' table --check $page
printf 'not supported: 2 of 4 in AscendCL\n' | plant README.md
expect_clean table --check $page
expect_fault 'usage: compat_table' table docs/compat-none.md
