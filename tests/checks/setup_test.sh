#!/bin/sh
# setup says in one sentence why it cannot go on.
set -eu
# shellcheck source=tests/checks/expect.sh
. "$(dirname "$0")/expect.sh"

# A machine that has these commands alone, and those that command_that adds.
mkdir "$tree/bin"
for tool in awk dirname env grep id; do
  ln -s "$(command -v $tool)" "$tree/bin/$tool"
done
run() { env PATH="$tree/bin" /bin/sh "$root/scripts/setup" "$@"; }
command_that() {
  { echo '#!/bin/sh'; cat; } | plant "bin/$1"
  chmod +x "$tree/bin/$1"
}

expect_fault 'this is not a Debian system (dpkg-query is missing)' run build

echo 'echo installed' | command_that dpkg-query
echo 'echo "$@" >>"$(dirname "$0")/../apt.log"; exit 1' | command_that apt-get
expect_clean run build
expect_fault "there is no group 'nonsense'" run nonsense
if [ -e "$tree/apt.log" ]; then
  echo "FAILED: setup called apt with nothing missing"
  exit 1
fi

echo 'exit 1' | command_that dpkg-query
rm "$tree/bin/id"
echo 'echo 1000' | command_that id
expect_fault 'installing packages needs root or sudo' run build
echo 'echo 0' | command_that id
expect_fault 'apt-get update failed' run build
