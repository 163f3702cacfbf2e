#!/usr/bin/python3
"""Packs files for tools/self_test/bundled_fixtures.cc to unpack.

The archive is the length of the rest, in 8 bytes, little-endian, and the
rest, compressed with zlib: a line "NAME SIZE" for each file, an empty line,
and the contents of all. Plugins from one source differ little, so they
compress well.

Usage: pack_fixtures.py ARCHIVE FILE...
"""

import os
import sys
import zlib


def pack(paths):
    index, contents = "", b""
    for path in sorted(paths, key=os.path.basename):
        with open(path, "rb") as file:
            data = file.read()
        index += f"{os.path.basename(path)} {len(data)}\n"
        contents += data
    whole = index.encode() + b"\n" + contents
    return len(whole).to_bytes(8, "little") + zlib.compress(whole, 9)


if __name__ == "__main__":
    with open(sys.argv[1], "wb") as archive:
        archive.write(pack(sys.argv[2:]))
