#!/usr/bin/env python3
"""Checks contract.md against the sources.

Every clause names its lines, its operations and at least one test or case of
the conformance suite; each of these exists; each of the 44 operations has a
clause; each case has a row; every line of the interface is covered, except
those declared to require nothing.

Usage: contract_test.py CONTRACT OPERATIONS_H SOURCE...
"""

import re
import sys

LAST_LINE = 1126
OPERATIONS = 44
LONGEST_DECLARATION = 6  # longest gap between clauses that needs no mention


def rows(text):
    """Yields (number, lines, operations, tests) for each row of the tables."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| C") and len(cells) == 6:
            yield (cells[0], cells[1], re.findall(r"`([^`]+)`", cells[3]),
                   re.findall(r"`([^`]+)`", cells[5]))


def operations(header):
    """The operations' names; those of files are prefixed with their table's."""
    found = re.findall(r"\bROW\((\w+), (\w+), k\w+, k\w+\)", header)
    return {name if table == "Filesystem" else f"{table}.{name}"
            for table, name in found}


def gaps(covered):
    """Yields the first and last line of each gap in `covered`."""
    first = 1
    for line in sorted(covered | {LAST_LINE + 1}):
        if line - first > LONGEST_DECLARATION:
            yield first, line - 1
        first = line + 1


def lines_of(spans):
    return {line for first, last in spans
            for line in range(int(first), int(last or first) + 1)}


def problems(contract, header, sources):
    """Yields each problem."""
    tests = {".".join(name) for name in re.findall(
        r"^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", sources, re.MULTILINE)}
    cases = set(re.findall(r'\{\d{3},\s*"([a-z-]+\.[a-z0-9-]+)"', sources))
    known = operations(header)
    if len(known) != OPERATIONS:
        yield f"wanted {OPERATIONS} operations in the header, found {len(known)}"
    table = list(rows(contract))
    if not table:
        yield "no clauses"
    for expected, (number, lines, ops, named) in enumerate(table, start=1):
        if number != f"C{expected}":
            yield f"wanted C{expected}, found {number}"
        span = re.fullmatch(r"L(\d+)(?:-L(\d+))?", lines)
        if not span or not (int(span[1]) <= int(span[2] or span[1]) <= LAST_LINE):
            yield f"{number}: '{lines}' are no lines"
        if not ops or not named:
            yield f"{number}: names no operation or no test"
        for op in set(ops) - known:
            yield f"{number}: there is no operation {op}"
        for test in set(named) - tests - cases:
            yield f"{number}: there is no test {test}"
    asking = lines_of(re.findall(r"^\| C\d+ \| L(\d+)(?:-L(\d+))?", contract,
                                 re.MULTILINE))
    prose = contract[contract.index("Lines that ask for nothing"):]
    silent = lines_of(re.findall(r"L(\d+)-L(\d+)",
                                 prose[:prose.index("\n\n")]))
    for first, last in gaps(asking | silent):
        yield f"L{first}-L{last} are no clause's"
    for line in sorted(asking & silent):
        yield f"L{line} asks for nothing and is a clause's"
    for op in sorted(known - {op for row in table for op in row[2]}):
        yield f"no clause is about {op}"
    for case in sorted(cases - {test for row in table for test in row[3]}):
        yield f"no clause names the case {case}"
    for test in re.findall(r"`(\w+Test\.\w+)`", contract):
        if test not in tests:
            yield f"there is no test {test}"


def main(arguments):
    texts = []
    for path in arguments:
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    found = list(problems(texts[0], texts[1], "\n".join(texts[2:])))
    print("\n".join(found) or f"{len(list(rows(texts[0])))} clauses are tested")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
