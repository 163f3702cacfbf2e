#!/usr/bin/env python3
"""Prints what libfsload.so has to export: the functions, variables and types that the
public headers mark with FSLOAD_API, one symbol a line; {absl} stands for Abseil's inline
namespace.

usage: exports.py LIBFSLOAD_A >tools/packaging/exports.txt
"""
import re
import subprocess
import sys

# What is fsload's; functions for C are in loader/c_api/symbols.txt. Instances of the
# standard library's templates are as visible as their arguments.
OURS = re.compile(r"_Z(N|NK|TVN|TIN|TSN|TV|TI|TS)6fsload")

# Inline functions are compiled into the programs that call them.
EXPORTED = {"GLOBAL": ("FUNC", "OBJECT", "TLS"), "WEAK": ("OBJECT",)}


def portable(name):
    """A symbol without the name of Abseil's inline namespace, which differs from one Abseil to
    the next: {absl} in its place."""
    parts = name.split("4absl")
    for number, part in enumerate(parts[1:], 1):
        if length := re.match(r"[1-9][0-9]*", part):
            parts[number] = "{absl}" + part[length.end() + int(length[0]):]
    return "4absl".join(parts)


def exports(archive):
    """Their names, sorted."""
    text = subprocess.run(["readelf", "--symbols", "--wide", archive], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    names = set()
    for line in text.splitlines():
        words = line.split()
        if len(words) != 8 or words[6] == "UND" or words[5] != "DEFAULT":
            continue
        kind, binding, name = words[3], words[4], words[7]
        if kind in EXPORTED.get(binding, ()) and OURS.match(name) and "EUl" not in name:
            names.add(portable(name))
    return sorted(names)


if __name__ == "__main__":
    print("\n".join(exports(sys.argv[1])))
