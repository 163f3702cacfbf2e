#!/bin/bash
# The README's C++ is the example's text: readme_test.sh README EXAMPLE
set -euo pipefail

diff <(sed -n '/^```cpp$/,/^```$/{/^```/d;p}' "$1") "$2"
