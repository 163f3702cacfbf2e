#!/bin/bash
# Runs the example of wrappers on a plugin, and compares what it prints, and
# its source, with the document: wrapping_test.sh EXAMPLE PLUGIN DOCUMENT SOURCE
set -euo pipefail

example=$1
plugin=$2
document=$3
source=$4
folder=$TEST_TMPDIR/files
mkdir "$folder"

printed=$("$example" "$plugin" "posix://$folder")
diff <(sed -n '/^```text$/,/^```$/{/^```/d;p}' "$document") - <<<"$printed"
[[ $(<"$folder/a") == hello ]]
[[ $(<"$folder/b.ckpt") == 12345678 ]]
diff <(sed -n '/^```cpp$/,/^```$/{/^```/d;p}' "$document") \
  <(sed -n '/^\/\/ \(Registers\|A disk\)/,/^}$/p' "$source")
