#!/bin/sh
# check_clauses passes a document in order, and names each fault planted in it.
set -eu
# shellcheck source=tests/checks/expect.sh
. "$(dirname "$0")/expect.sh"

check() { "$root/scripts/check_clauses" "$tree"; }

# document ROW: a section of one clause, with ROW as the names of its tests.
document() {
  {
    printf '## 2. Streams\n\n[`tests/semantics/streams_test.cpp`](../tests/semantics/streams_test.cpp)\n\n'
    printf '| 2.1 | Steps keep order. | %s |\n' "$1"
  } | plant docs/semantics.md
}

printf 'TEST(Stream, KeepsOrder) {\n}\nTEST_F(Stream,\n       Ends) {\n}\n' |
  plant tests/semantics/streams_test.cpp
# shellcheck disable=SC2016 # the names stand in backquotes
{
  document '`Stream.KeepsOrder` `Stream.Ends`'
  expect_clean check

  document '`Stream.KeepsOrder`'
  expect_fault 'streams_test.cpp: no clause names Stream.Ends' check
  document '`Stream.KeepsOrder` `Stream.Ends` `Stream.Flies`'
  expect_fault 'there is no Stream.Flies in tests/semantics/streams_test.cpp' check
  document ''
  expect_fault 'clause 2.1 has no test' check

  echo 'TYPED_TEST(Event, Completes) {' | plant tests/semantics/events_test.cpp
  document '`Stream.KeepsOrder` `Stream.Ends`'
  expect_fault 'events_test.cpp: no clause names Event.Completes' check
  {
    printf '## 2. Streams and events\n\n'
    for file in streams events; do
      printf '[`tests/semantics/%s_test.cpp`](../tests/semantics/%s_test.cpp)\n' $file $file
    done
    printf '| 2.1 | Steps keep order. | `Stream.KeepsOrder` `Stream.Ends` `Event.Completes` |\n'
  } | plant docs/semantics.md
  expect_clean check

  echo 'TEST(Queue, Opens) {' | plant tests/semantics/queue/opening_test.cpp
  expect_fault 'queue/opening_test.cpp: no clause names Queue.Opens' check
  {
    printf '[`tests/semantics/queue/opening_test.cpp`](../tests/semantics/queue/opening_test.cpp)\n'
    printf '| 1.1 | It opens. | `Queue.Opens` |\n'
  } | plant docs/semantics-queue.md
  expect_clean check
}
