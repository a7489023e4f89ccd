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

# The front ends, which have no rules as long as there is no compat/LAYERS.
echo '#include "base/id.hpp"' | plant compat/cuda/state/context.hpp
expect_clean check
plant compat/LAYERS <<'EOF'
shared:
cuda/state:     shared
cuda/calls:     cuda/state shared
ascendcl/state: shared
EOF
expect_fault "context.hpp:1: 'base/id.hpp' is in no layer" check
echo | plant src/base/id.hpp
expect_fault "context.hpp:1: compat may not include src ('base/id.hpp')" check
echo | plant compat/cuda/include/types/memory.h
printf '#include "state/context.hpp"\n#include "types/memory.h"\n#include "shared/model.hpp"\n' |
  plant compat/cuda/state/context.hpp
echo '#include "shared/model.hpp"' | plant compat/shared/model.hpp
printf '#include <cuda.h>\n#include <base>\n#include <convoy/stream.hpp>\n#include "state/context.hpp"\n' |
  plant compat/cuda/calls/copy.hpp
echo '#include "shared/model.hpp"' | plant compat/ascendcl/state/context.hpp
expect_clean check

expect_planted "copy.cpp:1: cuda/state may not include cuda/calls ('calls/copy.hpp')" \
  compat/cuda/state/copy.cpp '#include "calls/copy.hpp"'
expect_planted "cuda/state may not include cuda/calls ('calls/copy.hpp')" \
  compat/cuda/state/copy.cpp '#include <calls/copy.hpp>'
expect_planted "'context.hpp' is in no layer; ours are relative to compat/cuda/" \
  compat/cuda/state/copy.cpp '#include "context.hpp"'
expect_planted "'calls/copy.hpp' is in no layer; ours are relative to compat/ascendcl/" \
  compat/ascendcl/state/copy.cpp '#include "calls/copy.hpp"'
expect_planted 'compat/ascendcl/calls: has no line in compat/LAYERS' compat/ascendcl/calls/a.cpp ''
printf 'shared: cuda/state\ncuda/state: shared\ncuda/calls: cuda/state\nascendcl/state: shared\n' |
  plant compat/LAYERS
expect_fault "compat/LAYERS:1: shared names 'cuda/state', which is no layer above it" check
rm "$tree/compat/LAYERS"
expect_clean check

printf 'os: base\nbase: os\nstream:\nruntime: stream\n' | plant src/LAYERS
expect_fault "LAYERS:1: os names 'base', which is no layer above it" check
