#!/bin/sh
# check_exports passes a library that matches its list, and names what leaks and what lacks.
set -eu
# shellcheck source=tests/checks/expect.sh
. "$(dirname "$0")/expect.sh"

# library NAME: compiles standard input as C++ into a shared library of that name.
library() {
  ${CXX:-c++} -x c++ -std=c++20 -shared -fPIC -o "$tree/$1" -
}
check() (
  cd "$tree"
  "$root/scripts/check_exports" "$@"
)

printf '# the namespace\nnamespace convoy\n' | plant space.txt
printf 'first\nsecond unsupported\n' | plant names.txt
printf 'third\n' | plant more.txt

library inside.so <<'EOF'
namespace convoy {
struct shape { virtual ~shape(); virtual int size() const; };
shape::~shape() = default;
int shape::size() const { static int n = 1; return n; }
struct other { virtual void turn(); };
void other::turn() {}
struct both : shape, other { void turn() override; };
void both::turn() {}
int count = 0;
}
EOF
expect_clean check inside.so space.txt

library names.so <<'EOF'
extern "C" void first() {}
extern "C" void second() {}
EOF
expect_clean check names.so names.txt
expect_fault 'exports first, which' check names.so space.txt
expect_fault 'does not export third, which is in names.txt and more.txt' \
  check names.so names.txt more.txt

printf 'namespace convoy::cuda\n' | plant nested.txt
echo 'namespace convoy::cuda { int count = 0; }' | library nested.so
expect_clean check nested.so nested.txt
expect_fault 'exports _ZN6convoy5countE' check inside.so nested.txt

library foreign.so <<'EOF'
namespace convoy { struct item {}; }
namespace fmt { void print(convoy::item) {} }
EOF
expect_fault 'exports _ZN3fmt5printEN6convoy4itemE' check foreign.so space.txt

library instantiation.so <<'EOF'
#include <vector>
namespace convoy { struct item { int n; }; }
template class std::vector<convoy::item>;
EOF
expect_fault 'exports _ZNSt6vectorIN6convoy4item' check instantiation.so space.txt

echo 'extern "C" void first() {}' | library lacking.so
expect_fault 'does not export second' check lacking.so names.txt

echo 'static int unseen;' | library empty.so
expect_fault 'exports nothing' check empty.so space.txt
