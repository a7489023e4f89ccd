#!/bin/sh
# The demonstration fails and names the item when one byte is changed.
# Usage: wrong_byte_test.sh DEMO
set -eu

if said=$("$1" --quick --spoil 2>&1); then
  echo "FAILED: a byte was wrong and the demonstration succeeded"
  exit 1
fi
if ! echo "$said" | grep -q 'item [0-9]*, block [0-9]*: byte [0-9]* is 0x.., not 0x..'; then
  echo "FAILED: the wrong byte is not named in: $said"
  exit 1
fi
