#!/bin/bash
# Runs the embedding example on a plugin: embedding_test.sh EXAMPLE PLUGIN
set -euo pipefail

example=$1
plugin=$2
folder=$TEST_TMPDIR/files
mkdir "$folder"

fail() {
  echo "expected: $1" >&2
  exit 1
}

# The file it writes exists; it lists and reads it.
[[ $("$example" "$plugin" "posix://$folder") == $'greeting\nhello' ]] ||
  fail "the names in the folder, then the file's text"
[[ $(<"$folder/greeting") == hello ]] || fail "the file on disk"

# An error names the URI and the operation, and exits with 1.
code=0
message=$("$example" "$plugin" "posix://$folder/missing" 2>&1) || code=$?
[[ $code == 1 ]] || fail "exit code 1 for a missing folder; found $code"
[[ $message == NOT_FOUND:*"posix://$folder/missing/greeting"*new_writable_file* ]] ||
  fail "NOT_FOUND, the URI and the operation; found $message"

# So does a file that is not a plugin.
code=0
message=$("$example" "$example" "posix://$folder" 2>&1) || code=$?
[[ $code == 1 && $message == *TF_InitPlugin* ]] ||
  fail "exit code 1 and TF_InitPlugin for a file that is no plugin; found $code: $message"
