#!/bin/sh
# check_layers passes a small tree in order, and names each include planted against it.
set -eu
# shellcheck source=tests/checks/expect.sh
. "$(dirname "$0")/expect.sh"

check() { "$root/scripts/check_layers" "$tree"; }

# expect_planted TEXT FILE LINE: the check names TEXT while FILE has LINE; then FILE goes.
expect_planted() {
  echo "$3" | plant "$2"
  expect_fault "$1" check
  rm "${tree:?}/$2"
}

plant src/LAYERS <<'EOF'
# folder: what it may include
api:     status.hpp
os:
base:    os
stream:  api base os
runtime: api stream base os
EOF
echo '#include <vector>' | plant include/convoy/status.hpp
printf '#include "convoy/status.hpp"\n#include <span>\n' | plant include/convoy/stream.hpp
printf '#include "base/id.hpp"\n\n#include <fmt/core.h>\n#include "os/page.hpp"\n' | plant src/base/id.cpp
printf '#include "convoy/stream.hpp"\n#include "stream/queue.hpp"\n' | plant src/runtime/runtime.cpp
echo '#include "convoy/status.hpp"' | plant src/stream/queue.hpp
expect_clean check

expect_planted 'src/os/page.cpp:1: os may not include base' src/os/page.cpp '#include "base/id.hpp"'
expect_planted 'src/base/a.hpp:1: base may not include api' src/base/a.hpp '#include "convoy/status.hpp"'
expect_planted 'stream may not include runtime' src/stream/a.cpp '#include <convoy/stream.hpp>'
expect_planted "'id.hpp' is in no layer" src/base/a.cpp '#include "id.hpp"'
expect_planted "'hwy/highway.h' is in no layer" src/base/a.cpp '#include "hwy/highway.h"'
expect_planted "neither a public nor a standard header" include/convoy/a.hpp '#include <fmt/core.h>'
expect_planted "neither a public nor a standard header" include/convoy/a.hpp '#include "base/id.hpp"'

echo '#include "convoy/stream.hpp"' | plant include/convoy/status.hpp
expect_fault "status.hpp:1: 'convoy/stream.hpp' is not on the api line" check
echo '#include <vector>' | plant include/convoy/status.hpp

mkdir "$tree/src/extra"
expect_fault 'src/extra: has no line in src/LAYERS' check
rmdir "$tree/src/extra"

printf 'os: base\nbase: os\nstream:\nruntime: stream\n' | plant src/LAYERS
expect_fault "LAYERS:1: os names 'base', which is no layer above it" check
