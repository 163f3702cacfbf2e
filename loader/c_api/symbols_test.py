#!/usr/bin/env python3
"""Checks that symbols.txt, the headers and the library name the same functions.

symbols.txt is what a shared library exports for C, sorted. A name that is gone
from it is gone from programs that were linked with it.

Usage: symbols_test.py SYMBOLS ARCHIVE HEADER...
"""

import re
import subprocess
import sys


def declared(text):
    """The functions that a header declares with FSLOAD_API."""
    text = re.sub(r"//.*|#.*", "", text)
    return re.findall(r"FSLOAD_API\b[^;(]*?\b(\w+)\s*\(", text)


def defined(archive):
    """The global functions and variables of an archive with C linkage."""
    names = subprocess.run(["nm", "--extern-only", "--defined-only", "--format=posix", archive],
                           check=True, stdout=subprocess.PIPE, text=True).stdout
    return [line.split()[0] for line in names.splitlines()
            if re.match(r"fsload_\w+ [A-Z] ", line)]


def differences(name, found, listed):
    """Yields each difference between what `name` has and the list."""
    for each in sorted(set(found) - set(listed)):
        yield f"{name} has {each}, symbols.txt does not"
    for each in sorted(set(listed) - set(found)):
        yield f"symbols.txt has {each}, {name} does not"


def main(symbols, archive, *headers):
    with open(symbols, encoding="utf-8") as file:
        listed = file.read().splitlines()
    names = []
    for header in headers:
        with open(header, encoding="utf-8") as file:
            names += declared(file.read())
    problems = list(differences("the header", names, listed))
    problems += differences("the library", defined(archive), listed)
    if listed != sorted(listed):
        problems.append("symbols.txt is not sorted")
    if len(set(names)) != len(names):
        problems.append("a function is declared twice")
    print("\n".join(problems) or f"{len(listed)} functions")
    return 1 if problems or not listed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
