# shellcheck shell=sh disable=SC2034
# Sourced by the tests of the check scripts: a tree to plant files in, and what to expect.
root=$(cd "$(dirname "$0")/../.." && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

# plant FILE: writes standard input to FILE in the tree.
plant() {
  mkdir -p "$(dirname "$tree/$1")"
  cat >"$tree/$1"
}

expect_clean() {
  if ! "$@" >"$tree/.said" 2>&1; then
    echo "FAILED: expected no fault from: $*"
    cat "$tree/.said"
    exit 1
  fi
}

# expect_fault TEXT COMMAND...: the command must fail and say TEXT.
expect_fault() {
  text=$1
  shift
  if "$@" >"$tree/.said" 2>&1; then
    echo "FAILED: expected a fault, '$text', from: $*"
    exit 1
  fi
  if ! grep -qF -- "$text" "$tree/.said"; then
    echo "FAILED: expected '$text' from: $*"
    cat "$tree/.said"
    exit 1
  fi
}
