#!/usr/bin/python3
"""Compares ElfFile with pyelftools, on real plugins.

The arguments are the program that prints what ElfFile reads, and the files.
"""

import subprocess
import sys
import unittest

from elftools.elf.elffile import ELFFile

DUMP, *FILES = sys.argv[1:]

# ABS64, GLOB_DAT, JUMP_SLOT: they store an address unchanged.
STORES_ADDRESS = {"EM_X86_64": {1, 6, 7}, "EM_AARCH64": {257, 1025, 1026}}


def oracle(path):
    """The lines that elf_file_dump.cc prints, as pyelftools has them."""
    lines = []
    with open(path, "rb") as stream:
        elf = ELFFile(stream)
        stores_address = STORES_ADDRESS[elf.header.e_machine]
        dynamic = elf.get_section_by_name(".dynamic")
        tags = list(dynamic.iter_tags())
        lines += [f"needed {t.needed}" for t in tags if t.entry.d_tag == "DT_NEEDED"]
        lines += [f"search {t.runpath}" for t in tags if t.entry.d_tag == "DT_RUNPATH"]
        symbols = list(elf.get_section_by_name(".dynsym").iter_symbols())
        for symbol in symbols:
            defined = symbol["st_shndx"] != "SHN_UNDEF"
            visible = (symbol["st_info"]["bind"] != "STB_LOCAL"
                       and symbol["st_other"]["visibility"] in ("STV_DEFAULT", "STV_PROTECTED"))
            function = symbol["st_info"]["type"] in ("STT_FUNC", "STT_GNU_IFUNC")
            lines.append(f"symbol {symbol.name} {defined:d} {visible:d} {function:d}")
        for name in (".rela.plt", ".rela.dyn"):
            section = elf.get_section_by_name(name)
            for relocation in section.iter_relocations() if section else ():
                index = relocation["r_info_sym"]
                if index and relocation["r_info_type"] in stores_address:
                    lines.append(f"slot {symbols[index].name} {relocation['r_offset']:x}")
        needs = elf.get_section_by_name(".gnu.version_r")
        lines += [f"versions {need.name}" for need, _ in needs.iter_versions()]
        entries = elf.get_section_by_name(".dynamic")["sh_size"] // 16
        lines.append(f"spare {entries > len(tags):d}")
    return lines


class ElfFileTest(unittest.TestCase):
    def test_reads_what_the_oracle_reads(self):
        self.assertGreater(len(FILES), 3)
        for path in FILES:
            with self.subTest(path):
                found = subprocess.run([DUMP, path], capture_output=True, text=True, check=True)
                self.assertEqual(found.stderr, "")
                self.assertEqual(found.stdout.splitlines(), oracle(path))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
