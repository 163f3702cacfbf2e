#!/bin/bash
# Runs the example of streams on a plugin: streams_test.sh EXAMPLE PLUGIN
set -euo pipefail

example=$1
plugin=$2
folder=$TEST_TMPDIR/files
mkdir "$folder"

fail() {
  echo "expected: $1" >&2
  exit 1
}

# 0 to 999 have 77 in them 19 times: 770 to 779 and x77.
expected="19 lines, the last is 'event 977'"
for run in 1 2; do
  [[ $("$example" "$plugin" "posix://$folder") == "$expected" ]] ||
    fail "$expected, in run $run"
done
[[ $(<"$folder/summary") == "$expected" ]] || fail "the summary on disk"
[[ $(wc -l < "$folder/log") == 1000 ]] || fail "1000 lines in the log"
[[ $(ls -A "$folder") == $'log\nsummary' ]] || fail "no temporary file"

# An error names the URI and the operation, and exits with 1.
code=0
message=$("$example" "$plugin" "posix://$folder/missing" 2>&1) || code=$?
[[ $code == 1 ]] || fail "exit code 1 for a missing folder; found $code"
[[ $message == NOT_FOUND:*"posix://$folder/missing/log"*new_writable_file* ]] ||
  fail "NOT_FOUND, the URI and the operation; found $message"
