# shellcheck shell=sh disable=SC2034
# Sourced by tests of the installed tree: $moved is one that was moved after it was installed, so
# it cannot remember where that was.
build=$1
CXX=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/first" >/dev/null
moved=$work/moved
mv "$work/first" "$moved"
libraries=$moved/lib/convoy

# skip REASON: what the machine lacks is no failure.
skip() {
  echo "skipped: $1"
  exit 77
}
