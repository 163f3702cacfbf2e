#!/bin/bash
# Runs the example of recording and replaying on a plugin, and compares its
# source with the document: replaying_test.sh EXAMPLE PLUGIN DOCUMENT SOURCE
set -euo pipefail

example=$1
plugin=$2
document=$3
source=$4
file=$TEST_TMPDIR/greeting
journal=$TEST_TMPDIR/calls.journal
echo hello > "$file"

fail() {
  echo "expected: $1" >&2
  exit 1
}

[[ $("$example" "$plugin" "posix://$file" "$journal") == hello ]] ||
  fail "the file's text, from the journal"
[[ $(stat -c %a "$journal") == 600 ]] || fail "a journal for its owner only"
grep -q '"RandomAccessFile.read"' "$journal" || fail "the reads in the journal"

# A journal replaces nothing, and an error exits with 1.
code=0
message=$("$example" "$plugin" "posix://$file" "$journal" 2>&1) || code=$?
[[ $code == 1 && $message == ALREADY_EXISTS:*"$journal"* ]] ||
  fail "ALREADY_EXISTS and the journal; found $message, exit code $code"

diff <(sed -n '/^```cpp$/,/^```$/{/^```/d;p}' "$document") \
  <(sed -n '/^\/\/ Reads it from/,/^}$/p' "$source")
