#!/bin/sh
# check_style passes a small tree in order, and names each fault planted in it.
set -eu
# shellcheck source=tests/checks/expect.sh
. "$(dirname "$0")/expect.sh"

check() { "$root/scripts/check_style" "$tree"; }
lines() { yes "$2" | head -n "$1"; }

# expect_planted TEXT FILE: the check names FILE and TEXT while FILE has the lines of
# standard input; then FILE goes.
expect_planted() {
  plant "$2"
  expect_fault "$2:" check
  expect_fault "$1" check
  rm "$tree/$2"
}
# expect_allowed FILE: the check has nothing against FILE having the lines of standard input.
expect_allowed() {
  plant "$1"
  expect_clean check
  rm "$tree/$1"
}

echo 'convoy_add_tests(unit convoy_internal)' | plant tests/CMakeLists.txt
echo 'TEST(Queue, IsEmptyAtFirst) {}' | plant tests/unit/queue_test.cpp
echo 'See `src/base/queue.cpp`, `docs/`, `build/release/x` and `std::span`.' | plant README.md
mkdir "$tree/docs"
lines 600 'int x;' | plant src/base/queue.cpp
expect_clean check

echo '// TODO: later' | expect_planted "'TODO' tells history" src/base/a.cpp
echo 'int x;  // see #123' | expect_planted "'#123' tells history" src/base/a.cpp
echo ' * done in phase 3' | expect_planted "'phase 3' tells history" include/convoy/a.hpp
echo '# v2 of the loader' | expect_planted "'v2' tells history" python/a.py
echo 'int v2 = 0;  // x86-64-v3 has 256 bits' | expect_allowed src/base/a.cpp

echo | expect_planted 'file name says nothing' src/base/string_utils.cpp
echo | expect_planted 'file name says nothing' tests/support/helper.hpp
echo | expect_allowed tools/convoy/info.cpp
echo | expect_allowed src/base/database.cpp

lines 601 'int x;' | expect_planted 'longer than 600 lines' src/base/a.cpp
lines 301 'int x;' | expect_planted 'longer than 300 lines' include/convoy/a.hpp
lines 501 'int x;' | expect_planted 'longer than 500 lines' tests/unit/a_test.cpp
lines 251 'text' | expect_planted 'longer than 250 lines' ARCHITECTURE.md
lines 16 '// so it goes' | expect_planted 'comment block longer than 15' src/base/a.cpp

echo '#ifdef __linux__' | expect_planted 'conditional compilation' src/base/a.hpp
echo '#if defined(__linux__)' | expect_planted 'conditional compilation' include/convoy/a.hpp
echo '#include <sys/mman.h>' | expect_planted '<sys/mman.h> belongs in src/os' src/base/a.cpp
echo '#include <unistd.h>' | expect_planted '<unistd.h> belongs in src/os' src/base/a.cpp
printf '#ifdef __linux__\n#include <sys/mman.h>\n' | expect_allowed src/os/a.cpp
printf '#if HWY_ONCE\n#include <hwy/highway.h>\n' | expect_allowed src/cpu/a.cpp

echo 'std::this_thread::sleep_for(1ms);' | expect_planted 'never for time' tests/unit/a_test.cpp

words() { expect_planted "$1 has more than 6 words" tests/unit/a_test.cpp; }
echo 'TEST(A, LandsAfterEveryStepThatCameBefore) {}' | words LandsAfterEveryStepThatCameBefore
echo 'TEST_F(A, Copies2DRowsInIPCMemoryAtOnce) {}' | words Copies2DRowsInIPCMemoryAtOnce
printf 'TYPED_TEST_P(A,\n  HasARowForEveryItemOf256) {}' | words HasARowForEveryItemOf256
printf 'TEST_P(A, Model310BCopies2DRows) {}\nTYPED_TEST(A, HasABlockOf4096CUDABytes) {}\n' |
  expect_allowed tests/unit/a_test.cpp
echo 'def test_lands_after_every_step_that_came_before(device):' |
  expect_planted 'lands_after_every_step_that_came_before has more than 6 words' tests/python/test_a.py
echo '    def test_lands_after_every_step_before(self):' | expect_allowed tests/tools/a_test.py

echo | expect_planted 'ctest does not run the tests of tests/other' tests/other/a_test.cpp
echo | expect_planted 'ctest does not run the tests of src/base' src/base/a_test.cpp

echo 'Open `src/base/gone.cpp`.' | expect_planted 'there is no src/base/gone.cpp' docs/a.md

printf 'int main() {\n  return 0;\n}\n' | plant examples/a.cpp
snippet() { printf '```%s %s\n%s\n```\n' "${3-cpp}" "$1" "$2"; }
snippet examples/a.cpp '  return 0;' | expect_allowed docs/a.md
snippet examples/a.cpp '  return 1;' | expect_planted 'not what examples/a.cpp says' docs/a.md
snippet examples/b.cpp '  return 0;' | expect_planted 'there is no examples/b.cpp' docs/a.md
snippet '' '  return 0;' | expect_allowed docs/a.md
snippet '' '  return 0;' | expect_planted 'name the file this code is from' README.md
snippet '' 'print()' python | expect_planted 'name the file this code is from' README.md
rm "$tree/examples/a.cpp"

echo '{{"CONVOY_X", "0 or 1", "1: more (0)"},' | plant src/base/configuration.cpp
echo '| `CONVOY_X` | 0 or 1 | 1: more (0) |' | expect_allowed docs/configuration.md
echo '| `CONVOY_X` | 0 or 1 | 1: less (0) |' |
  expect_planted 'has no row | `CONVOY_X` |' docs/configuration.md
rm "$tree/src/base/configuration.cpp"

printf '# metaphors\njournal\nbury\nbell_\n' | plant scripts/retired_names.txt
retired() { expect_planted "'$1' is retired" "$2"; }
echo 'class journal {' | retired journal src/base/a.hpp
echo 'class CONVOY_EXPORT journal final {' | retired journal include/convoy/a.hpp
echo 'enum class journal : int {' | retired journal src/base/a.hpp
echo 'enum class kind { page, journal };' | retired journal src/base/a.hpp
echo 'status bury(int* block);' | retired bury src/base/a.hpp
echo 'std::vector<int> bury() {' | retired bury tests/unit/a_test.cpp
echo 'book journal_ CONVOY_GUARDED_BY(mutex_);' | retired journal_ src/base/a.hpp
echo 'std::atomic<int> bell_{0};' | retired bell_ src/base/a.hpp
echo 'void add(const page* from, book& journal);' | retired journal tools/a.cpp
echo 'for (const auto& journal : all) read(journal);' | retired journal bench/a.cpp
echo 'const auto [first, journal] = open();' | retired journal examples/a.cpp
echo | retired journal src/base/journal.cpp
echo | retired journal tests/unit/journal_test.cpp
expect_allowed src/base/a.cpp <<'EOF'
// The kernel's journal: it may bury an entry (see bury).
int journals = 0, bell = 0;
int f() {
  /* class journal { */
  other.bury(journals);
  other->bury(journals);
  return bury(journals, "book journal;", u * journal, a & bury, x > journal, &bury);
}
EOF

printf '{"configurePresets": [1, 2, 3, 4, 5, 6, 7, 8, 9]}' |
  expect_planted 'more than 8 presets' CMakePresets.json
