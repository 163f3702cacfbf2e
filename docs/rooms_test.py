#!/usr/bin/env python3
"""Checks the rooms of architecture.md against the build graph.

Every package of a layer has a row; the rows name the rooms that targets depend
on, no fewer and no more; the diagrams show the rows, without arrows implied by
others. The graph is that of the command and the library: of rooms that are not
in it, and of tests, nothing is known.

Usage: rooms_test.py ARCHITECTURE_MD BUILD_GRAPH
"""

import re
import sys


def rows(text):
    """The rooms, each with the rooms that it may use."""
    rooms = {}
    for room, uses in re.findall(r"^\| `([\w/]*\w)` \| .* \| ([^|]*) \|$", text,
                                 re.MULTILINE):
        layer = room.split("/")[0]
        if uses == "all":
            rooms[room] = {other for other in rooms if other.startswith(layer)}
        else:
            rooms[room] = {f"{layer}/{name}" for name in re.findall(r"`([\w/]+)`", uses)}
    return rooms


def reduced(rooms):
    """The arrows that are not implied by others."""
    reached = {}
    for room, uses in rooms.items():  # lowest first
        reached[room] = uses.union(*[reached.get(use, set()) for use in uses])
    return {(room, use) for room, uses in rooms.items() for use in uses
            if not any(use in reached.get(other, set()) for other in uses)}


def problems(text, graph):
    """Yields each problem."""
    rooms = rows(text)
    packages = {}
    for line in graph.splitlines():
        edge = re.match(r' *"//([\w/]*):[^"]*" -> "//([\w/]*):', line)
        if edge and edge[1] != edge[2]:
            packages.setdefault(edge[1], set()).add(edge[2])
            packages.setdefault(edge[2], set())
    seen = {package for package in packages
            if package.split("/")[0] in ("core", "loader", "tools")}
    if len(seen) < 10:
        yield f"the build graph has {len(seen)} rooms only"
    for package in sorted(seen - set(rooms)):
        yield f"{package} has no row"
    for package in sorted(seen & set(rooms)):
        for use in sorted(packages[package] & set(rooms)):
            if use.split("/")[0] == package.split("/")[0] and use not in rooms[package]:
                yield f"{package} uses {use}, which its row does not name"
        for use in sorted(rooms[package] - packages[package]):
            yield f"{package} does not use {use}, which its row names"
    order = list(rooms)
    for number, room in enumerate(order):
        for use in sorted(rooms[room] - set(order[:number])):
            yield f"no row above that of {room}, which names {use}, is about it"
    shown = {(a, b) for a, b in re.findall(r"^  ([\w/]+) --> ([\w/]+)$", text, re.MULTILINE)}
    real = {(a, b) for a, b in reduced(rooms) if not a.endswith("/testing")
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
    print("\n".join(found) or f"{len(rows(texts[0]))} rooms are as the build has them")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
