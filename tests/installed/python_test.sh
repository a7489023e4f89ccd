#!/bin/sh
# Installs the given build, moves the tree elsewhere, and runs Python programs on it by its command.
# Usage: python_test.sh BUILD PYTHON
set -eu

python=$2
# shellcheck source=tests/installed/moved.sh
. "$(dirname "$0")/moved.sh"
unset PYTHONPATH
[ -x "$moved/bin/convoy" ] || skip "the command convoy is not built."

"$moved/bin/convoy" run -- "$python" "$root/examples/python/descriptor_copy.py"
"$moved/bin/convoy" run -- "$python" -c '
import acl, convoy, sys
prefix = sys.argv[1]
for module in acl, convoy:
    assert module.__file__.startswith(prefix), module.__file__
libraries = {line.split()[-1] for line in open("/proc/self/maps") if "libconvoy.so" in line}
assert len(libraries) == 1 and libraries.pop().startswith(prefix), libraries
' "$moved"
PYTHONPATH=$moved/lib/convoy/python "$python" -m convoy doctor
