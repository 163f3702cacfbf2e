#!/usr/bin/env python3
"""Checks the packages of architecture.md against the build graph.

Every package of a layer has a row; the rows name the packages that targets depend
on, no fewer and no more; the diagrams show the rows, without arrows implied by
others. The graph is that of the command and the library: of packages that are not
in it, and of tests, nothing is known.

Usage: packages_test.py ARCHITECTURE_MD BUILD_GRAPH
"""

import re
import sys


def rows(text):
    """The packages, each with those that it may use."""
    allowed = {}
    for package, uses in re.findall(r"^\| `([\w/]*\w)` \| .* \| ([^|]*) \|$", text,
                                    re.MULTILINE):
        layer = package.split("/")[0]
        if uses == "all":
            allowed[package] = {other for other in allowed if other.startswith(layer)}
        else:
            allowed[package] = {f"{layer}/{name}" for name in re.findall(r"`([\w/]+)`", uses)}
    return allowed


def reduced(allowed):
    """The arrows that are not implied by others."""
    reached = {}
    for package, uses in allowed.items():  # lowest first
        reached[package] = uses.union(*[reached.get(use, set()) for use in uses])
    return {(package, use) for package, uses in allowed.items() for use in uses
            if not any(use in reached.get(other, set()) for other in uses)}


def problems(text, graph):
    """Yields each problem."""
    allowed = rows(text)
    packages = {}
    for line in graph.splitlines():
        edge = re.match(r' *"//([\w/]*):[^"]*" -> "//([\w/]*):', line)
        if edge and edge[1] != edge[2]:
            packages.setdefault(edge[1], set()).add(edge[2])
            packages.setdefault(edge[2], set())
    seen = {package for package in packages
            if package.split("/")[0] in ("core", "loader", "tools")}
    if len(seen) < 10:
        yield f"the build graph has {len(seen)} packages only"
    for package in sorted(seen - set(allowed)):
        yield f"{package} has no row"
    for package in sorted(seen & set(allowed)):
        for use in sorted(packages[package] & set(allowed)):
            if use.endswith("/include"):
                continue  # which all may use
            if use.split("/")[0] == package.split("/")[0] and use not in allowed[package]:
                yield f"{package} uses {use}, which its row does not name"
        for use in sorted(allowed[package] - packages[package]):
            yield f"{package} does not use {use}, which its row names"
    order = list(allowed)
    for number, package in enumerate(order):
        for use in sorted(allowed[package] - set(order[:number])):
            yield f"no row above that of {package}, which names {use}, is about it"
    shown = {(a, b) for a, b in re.findall(r"^  ([\w/]+) --> ([\w/]+)$", text, re.MULTILINE)}
    real = {(a, b) for a, b in reduced(allowed) if not a.endswith("/testing")
            and not b.endswith("/testing")}
    for a, b in sorted(shown - real):
        yield f"the diagram shows {a} --> {b}, the rows do not"
    for a, b in sorted(real - shown):
        yield f"the diagram lacks {a} --> {b}"


def main(arguments):
    texts = []
    for path in arguments:
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    found = list(problems(*texts))
    print("\n".join(found) or f"{len(rows(texts[0]))} packages are as the build has them")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
