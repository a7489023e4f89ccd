#!/bin/sh
# clang-format, clang-tidy and the thread-safety analysis, as configured here, pass good code
# and name planted faults.
set -eu
# shellcheck source=tests/checks/expect.sh
. "$(dirname "$0")/expect.sh"

for tool in clang++ clang-format clang-tidy; do
  if ! command -v $tool >/dev/null; then
    echo "SKIPPED: there is no $tool; scripts/setup check installs it"
    exit 77
  fi
done

cp "$root/.clang-format" "$root/.clang-tidy" "$tree"
format() { clang-format --dry-run --Werror "$tree/$1"; }
tidy() { clang-tidy --quiet "$tree/$1" -- -std=c++20; }
analyse() { clang++ -std=c++20 -fsyntax-only -Wthread-safety -Werror -I"$root/src" "$tree/$1"; }

plant good.cpp <<'EOF'
#include <cstddef>

namespace convoy {

class work_queue {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::size_t size_ = 0;
};

std::size_t size_of(const work_queue& queue) { return queue.size(); }

}  // namespace convoy
EOF
expect_clean format good.cpp
expect_clean tidy good.cpp

echo 'int  f( ){return 1 ;}' | plant loose.cpp
expect_fault 'code should be clang-formatted' format loose.cpp

echo 'class WorkQueue {};' | plant name.cpp
expect_fault "invalid case style for class 'WorkQueue'" tidy name.cpp
echo 'class queue { int size = 0; };' | plant member.cpp
expect_fault "invalid case style for private member 'size'" tidy member.cpp
{ echo 'int f(int n) {'; yes '  n = n + 1;' | head -n 60; echo '  return n; }'; } | plant long.cpp
expect_fault 'exceeds recommended size' tidy long.cpp
echo 'struct s { int n; }; unsigned long f(s* p) { return sizeof(p); }' | plant pointer.cpp
expect_fault "suspicious usage of 'sizeof(A*)'" tidy pointer.cpp
plant maze.cpp <<'EOF'
int f(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        for (int l = 0; l < n; ++l)
          if (i * j == k * l && i > j) return i;
  return n;
}
EOF
expect_fault 'has cognitive complexity of 16' tidy maze.cpp

plant unlocked.cpp <<'EOF'
#include "base/mutex.hpp"

struct counter {
  void count() { ++n; }
  convoy::mutex guard;
  int n CONVOY_GUARDED_BY(guard) = 0;
};
EOF
expect_fault "requires holding mutex 'guard'" analyse unlocked.cpp
sed 's/{ ++n; }/{ convoy::lock held(guard); ++n; }/' "$tree/unlocked.cpp" | plant locked.cpp
expect_clean analyse locked.cpp
