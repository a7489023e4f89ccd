#!/bin/sh
# compat_table writes a page from the lists, and --check names a page that no longer matches.
set -eu
# shellcheck source=tests/checks/expect.sh
. "$(dirname "$0")/expect.sh"

page=docs/compat-ascendcl.md
table() { "$root/scripts/compat_table" "$@" "$tree"; }
expect_row() { expect_clean grep -qxF -- "$1" "$tree/$page"; }

printf '# the list\naclrtMalloc\naclrtReduceAsync unsupported\n' | plant compat/ascendcl/exports/exports.txt
mkdir -p "$tree/docs"
expect_clean table $page
# shellcheck disable=SC2016 # the names stand in backquotes
{
  expect_row '| `aclrtMalloc` | yes |  |'
  expect_row '| `aclrtReduceAsync` |  | yes |'
}
expect_row '1 of 2 functions work.'
expect_clean table --check $page

echo aclrtFree >>"$tree/compat/ascendcl/exports/exports.txt"
expect_fault "$page is not up to date" table --check $page
expect_fault 'usage: compat_table' table docs/compat-none.md
