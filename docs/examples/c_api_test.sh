#!/bin/bash
# Runs the C example on a plugin, and compares it with the document: c_api_test.sh
# EXAMPLE PLUGIN DOCUMENT SOURCE
set -euo pipefail

example=$1
plugin=$2
document=$3
source=$4
folder=$TEST_TMPDIR/files
mkdir "$folder"

fail() {
  echo "expected: $1" >&2
  exit 1
}

# block LANGUAGE: the document's first block in it.
block() {
  sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/{/^\`\`\`/d;p}" "$document"
}

diff <(block c) "$source"
diff <(block text) <("$example" "$plugin" "posix://$folder")
[[ -d $folder/a && ! -e $folder/a/greeting ]] || fail "the directory, without the file"

code=0
message=$("$example" "$plugin" "other://$folder" 2>&1) || code=$?
[[ $code == 1 && $message == NOT_FOUND:\ *other* ]] ||
  fail "NOT_FOUND and the scheme for a scheme that nothing serves; found $code: $message"

code=0
message=$("$example" "$example" "posix://$folder" 2>&1) || code=$?
[[ $code == 1 && $message == FAILED_PRECONDITION:*TF_InitPlugin* ]] ||
  fail "exit code 1 and TF_InitPlugin for a file that is no plugin; found $code: $message"
