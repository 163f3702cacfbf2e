#!/bin/bash
# Runs the example on a plugin that crashes: isolated_test.sh EXAMPLE PLUGIN
set -euo pipefail

printed=$("$1" "$2" hostile:///quiet hostile:///deed hostile:///quiet)
[[ $printed == quiet$'\n'UNAVAILABLE:*hostile:///deed*SIGSEGV*"of the plugin"*$'\n'quiet ]] || {
  echo "expected quiet, UNAVAILABLE with the crash, and quiet; found: $printed" >&2
  exit 1
}
