#!/bin/bash
# The README's C++ equals the example: readme_test.sh README EXAMPLE
set -euo pipefail

diff <(sed -n '/^```cpp$/,/^```$/{/^```/d;p}' "$1") "$2"
