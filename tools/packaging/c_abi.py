#!/usr/bin/env python3
"""Prints the types of the C API's functions as libabigail describes them. c_abi.xml has those that
are promised. Functions and enumerators may be added. A field at the end of a struct is added to
c_abi.xml in the same commit, as libabigail 2.2 cannot allow that alone.

usage: c_abi.py FLAG... >tools/packaging/c_abi.xml
FLAG: a compiler flag, as `pkg-config --cflags fsload` prints them.
"""
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROMISED = os.path.join(ROOT, "tools/packaging/c_abi.xml")
# A library whose variables point to such functions describes their types.
TYPES = '#include "fsload/fsload.h"\n{}'
ABIDIFF_FAILED = 1 | 2  # bits of its exit code
TYPE = "__typeof__(&{0}) type_of_{0};\n"


def functions():
    with open(os.path.join(ROOT, "loader/c_api/symbols.txt"), encoding="ascii") as file:
        return file.read().split()


def describe(flags):
    """Returns the description, for a program compiled with these flags."""
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "types.so")
        subprocess.run(["gcc", "-g", "-shared", "-fPIC", "-x", "c", "-", *flags, "-o", library],
                       input=TYPES.format("".join(map(TYPE.format, functions()))), text=True,
                       check=True)
        return subprocess.run(
            ["abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs",
             "--no-elf-needed", library], check=True, stdout=subprocess.PIPE, text=True).stdout


def changes(description):
    """Returns abidiff's report of what is not as c_abi.xml has it; "" if all is."""
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as now:
        now.write(description)
        now.flush()
        ended = subprocess.run(["abidiff", "--no-added-syms", "--no-show-locs", PROMISED, now.name],
                               check=False, stdout=subprocess.PIPE, text=True)
    if ended.returncode & ABIDIFF_FAILED:
        ended.check_returncode()
    return ended.stdout if ended.returncode else ""


if __name__ == "__main__":
    print(describe(sys.argv[1:]), end="")
