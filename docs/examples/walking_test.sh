#!/bin/bash
# Runs the example of walks on a plugin: walking_test.sh EXAMPLE PLUGIN
set -euo pipefail

example=$1
plugin=$2
folder=$TEST_TMPDIR/files
mkdir -p "$folder/b/empty" "$folder/a"
printf 1 > "$folder/a/one"
printf 333 > "$folder/b/three"
printf 22 > "$folder/two"

fail() {
  echo "expected: $1" >&2
  exit 1
}

[[ $("$example" "$plugin" "posix://$folder") == $'1 a/one\n3 b/three\n2 two' ]] ||
  fail "the three files with their lengths"

code=0
message=$("$example" "$plugin" "posix://$folder/missing" 2>&1) || code=$?
[[ $code == 1 && $message == NOT_FOUND:*"posix://$folder/missing"* ]] ||
  fail "NOT_FOUND and the URI; found $message, exit code $code"
