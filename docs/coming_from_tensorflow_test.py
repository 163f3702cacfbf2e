#!/usr/bin/python3
"""Checks the table of calls in coming-from-tensorflow.md: fsload's headers declare
each C++ name, its list of exported C functions has each C name, and the command has
each verb.

Usage: coming_from_tensorflow_test.py FSLOAD DOCUMENT C_SYMBOLS HEADER...
"""
import re
import subprocess
import sys


def column(text, number):
    """The code in a column of the table of calls."""
    table = text.split("## Calls")[1].split("What is different:")[0]
    rows = [line.split("|") for line in table.splitlines() if line.startswith("| ")][1:]
    return [word for row in rows for word in re.findall(r"`([^`]+)`", row[number])]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def problems(fsload, document, symbols, headers):
    """Yields each name that does not exist."""
    text = read(document)
    declared = "\n".join(map(read, headers))
    for name in column(text, 3):
        if not re.search(rf"\b{name}\(|^class (FSLOAD_EXPORT )?{name}\b", declared, re.M):
            yield f"no header declares {name}"
    for name in sorted(set(column(text, 4)) - set(read(symbols).split())):
        yield f"there is no C function {name}"
    listed = subprocess.run([fsload, "--help"], capture_output=True, text=True, check=True,
                            timeout=60).stdout
    for command in column(text, 5):
        if not re.search(rf"^  {command.split()[1]} ", listed, re.M):
            yield f"there is no command {command}"
    if min(len(column(text, number)) for number in (1, 2, 3, 4, 5)) < 15:
        yield "the table of calls was not found"


if __name__ == "__main__":
    found = list(problems(sys.argv[1], *sys.argv[2:4], sys.argv[4:]))
    print("\n".join(found))
    sys.exit(1 if found else 0)
