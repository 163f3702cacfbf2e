"""Copies a shared object, with a dynamic section that ends with its first empty entry.

usage: cut_spare_entries.py FROM TO
"""
import struct
import sys

PT_DYNAMIC, DT_NULL = 2, 0


def cut(contents):
    table, = struct.unpack_from("<Q", contents, 32)
    size, count = struct.unpack_from("<HH", contents, 54)
    for header in range(table, table + size * count, size):
        kind, _, offset = struct.unpack_from("<IIQ", contents, header)
        if kind != PT_DYNAMIC:
            continue
        end = offset
        while struct.unpack_from("<q", contents, end)[0] != DT_NULL:
            end += 16
        struct.pack_into("<QQ", contents, header + 32, end + 16 - offset, end + 16 - offset)


def main():
    with open(sys.argv[1], "rb") as file:
        contents = bytearray(file.read())
    cut(contents)
    with open(sys.argv[2], "wb") as file:
        file.write(contents)


main()
