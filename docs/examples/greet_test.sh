#!/bin/bash
# Runs the README's example, which finds the plugin: greet_test.sh EXAMPLE PLUGIN
set -euo pipefail

example=$1
export HOME=$TEST_TMPDIR/home XDG_CACHE_HOME=$TEST_TMPDIR/cache
mkdir "$HOME" "$TEST_TMPDIR/plugins" "$TEST_TMPDIR/files"
cp "$2" "$TEST_TMPDIR/plugins"

fail() {
  echo "expected: $1" >&2
  exit 1
}

# Without a plugin it says what is missing.
code=0
message=$("$example" "posix://$TEST_TMPDIR/files" 2>&1) || code=$?
[[ $code == 1 && $message == NOT_FOUND:*"no plugin for posix:// is installed"* ]] ||
  fail "exit code 1, and what is missing; found $code: $message"

export FSLOAD_PLUGIN_PATH=$TEST_TMPDIR/plugins
[[ $("$example" "posix://$TEST_TMPDIR/files") =~ ^fsload\ [0-9.]+:\ hello$ ]] ||
  fail "the version and the file's text"
[[ $(<"$TEST_TMPDIR/files/greeting") == hello ]] || fail "the file on disk"
