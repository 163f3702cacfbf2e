#!/usr/bin/env python3
"""Checks docs/rules.md and the tests against the table of rules.

The page is what `fsload rules --markdown` prints; each rule is explained,
and is broken in a test that asserts its finding.

Usage: rules_test.py FSLOAD RULES_MD TEST_SOURCE...
"""

import re
import subprocess
import sys


def run(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True,
                          text=True).stdout


def problems(fsload, page, sources):
    """Yields each problem."""
    if run(fsload, "rules", "--markdown") != page:
        yield "rules.md is not the output of `fsload rules --markdown`"
    listed = run(fsload, "rules").splitlines()
    numbers = [line.split()[0] for line in listed]
    if numbers != sorted(set(numbers)):
        yield "the rules are not in order, or a number is there twice"
    for number in numbers:
        explained = run(fsload, "explain", number)
        if not re.search(r"why +\S.*\n  repair +\S", explained):
            yield f"{number} is not explained: {explained}"
        # Behaviour has mutants, each of which a case must find.
        if int(number[3:]) < 300 and number not in sources:
            yield f"{number} trips in no test"
    for number in sorted(set(re.findall(r"FSP\d{3}", sources)) - set(numbers)):
        yield f"a test names {number}, which is no rule"


def main(arguments):
    fsload, page, *sources = arguments
    texts = []
    for path in [page] + sources:
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    found = list(problems(fsload, texts[0], "\n".join(texts[1:])))
    print("\n".join(found) or "the rules are documented and tested")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
