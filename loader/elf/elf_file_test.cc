#include "loader/elf/elf_file.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loader/elf/elf_testing.h"
#include "loader/machine/machine.h"
#include "loader/testing/test_files.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;
using testing::UnorderedElementsAreArray;

TEST(ElfFile, KnowsWhatAPluginImportsAndExports) {
  const Parsed parsed = Parse(Minimal());
  ASSERT_THAT(parsed.findings, IsEmpty());
  const ElfFile& file = *parsed.file;
  ASSERT_NE(file.FindExported("TF_InitPlugin"), nullptr);
  EXPECT_TRUE(file.FindExported("TF_InitPlugin")->function);
  EXPECT_TRUE(file.Imports("TF_SetStatus"));
  EXPECT_FALSE(file.Imports("TF_InitPlugin"));
  EXPECT_FALSE(file.Imports("TF_SetStat"));
  EXPECT_EQ(file.FindExported("TF_SetStatus"), nullptr);
  std::vector<std::string_view> needed;
  for (const ElfFile::Text& each : file.needed()) needed.push_back(each.value);
  EXPECT_THAT(needed, Contains("libtensorflow_framework.so.2"));
}

TEST(ElfFile, KnowsWhereItsStringsAre) {
  const std::string bytes = Minimal();
  const Parsed parsed = Parse(bytes);
  ASSERT_TRUE(parsed.file.has_value());
  std::string copy = bytes;
  const size_t strings = DynamicEntry(copy, DT_STRTAB).d_un.d_ptr;
  for (const ElfFile::Text& needed : parsed.file->needed()) {
    EXPECT_EQ(bytes.substr(needed.file_offset, needed.value.size() + 1),
              std::string(needed.value) + '\0');
    // The table is in the first segment, where addresses are offsets.
    EXPECT_EQ(parsed.file->StringOffset(needed), needed.file_offset - strings);
  }
}

TEST(ElfFile, CountsTheSameSymbolsInEitherHashTable) {
  const std::string gnu = ReadFile("testdata/linking/gnu_hash.so");
  const std::string sysv = ReadFile("testdata/linking/sysv_hash.so");
  const auto names = [](const Parsed& parsed) {
    std::vector<std::string_view> names;
    for (const auto& each : parsed.file->symbols()) {
      names.push_back(each.name.value);
    }
    return names;
  };
  const Parsed by_gnu = Parse(gnu);
  const Parsed by_sysv = Parse(sysv);
  ASSERT_TRUE(by_gnu.file.has_value());
  ASSERT_TRUE(by_sysv.file.has_value());
  EXPECT_GT(names(by_gnu).size(), 10);
  EXPECT_THAT(names(by_sysv), UnorderedElementsAreArray(names(by_gnu)));
}

// The dynamic linker ends the process over another number of words, and reads
// outside the table if there are none.
TEST(ElfFile, RefusesABloomFilterWhoseSizeIsNoPowerOfTwo) {
  const std::string whole = ReadFile("testdata/linking/gnu_hash.so");
  for (const uint32_t words : {0, 3}) {
    std::string bytes = whole;
    const size_t table = DynamicEntry(bytes, DT_GNU_HASH).d_un.d_ptr;
    At<uint32_t>(bytes, table) = 0;      // buckets
    At<uint32_t>(bytes, table + 4) = 1;  // symbols without a hash
    At<uint32_t>(bytes, table + 8) = words;
    EXPECT_THAT(Parse(bytes).findings, ElementsAre(StartsWith("FSP005")));
  }
}

// It is the one that the dynamic linker uses.
TEST(ElfFile, RefusesADamagedGnuHashTableBesideAnother) {
  std::string bytes = ReadFile("testdata/linking/sysv_hash.so");
  DynamicEntry(bytes, DT_NULL) = {DT_GNU_HASH, {0}};
  EXPECT_THAT(Parse(bytes).findings, ElementsAre(StartsWith("FSP005")));
}

// The dynamic linker compares it with the name of each library that anything
// opens later.
TEST(ElfFile, RefusesANameOfItsOwnThatIsOutsideOfTheStrings) {
  std::string bytes = Minimal();
  DynamicEntry(bytes, DT_NULL) = {DT_SONAME, {0x7f0000000}};
  EXPECT_THAT(Parse(bytes).findings,
              ElementsAre(StartsWith("FSP005: a library's name is at offset "
                                     "34091302912 of a string table of ")));
}

struct Damage {
  std::string_view name;
  void (*apply)(std::string& bytes);
  std::string_view finding;
};

// SIZE in a message stands for the file's size, MACHINE for this processor.
class DamagedElfFile : public testing::TestWithParam<Damage> {};

TEST_P(DamagedElfFile, IsRefusedNamingWhatWasFound) {
  std::string bytes = Minimal();
  GetParam().apply(bytes);
  const Parsed parsed = Parse(bytes);
  EXPECT_FALSE(parsed.file.has_value());
  ASSERT_EQ(parsed.findings.size(), 1);
  std::string shown = parsed.findings[0];
  const std::string size = " " + std::to_string(bytes.size()) + " bytes";
  if (const size_t at = shown.find(size); at != std::string::npos) {
    shown.replace(at, size.size(), " SIZE bytes");
  }
  const std::string machine = " of " + std::string(ThisMachine().name);
  if (const size_t at = shown.find(machine); at != std::string::npos) {
    shown.replace(at, machine.size(), " of MACHINE");
  }
  EXPECT_EQ(shown, GetParam().finding);
}

TEST(ElfFile, RefusesASegmentThatIsElsewhereInItsPage) {
  std::string bytes = Minimal();
  Elf64_Phdr& segment = Segment(bytes, PT_LOAD);
  segment.p_vaddr += 16;
  EXPECT_THAT(
      Parse(bytes).findings,
      ElementsAre(StartsWith(Format(
          "FSP005: the segment at {:#x} cannot be mapped from offset {:#x}: "
          "both must be at the same place in a page of {} bytes; ",
          segment.p_vaddr, segment.p_offset, sysconf(_SC_PAGESIZE)))));
}

struct Foreign {
  std::string_view name;
  unsigned char word, order;
  uint16_t machine;
  std::string_view finding;
};

class ForeignElfFile : public testing::TestWithParam<Foreign> {};

TEST_P(ForeignElfFile, IsRefusedNamingBothProcessors) {
  std::string bytes = Minimal();
  bytes[EI_CLASS] = static_cast<char>(GetParam().word);
  bytes[EI_DATA] = static_cast<char>(GetParam().order);
  const uint16_t machine = GetParam().machine;
  Header(bytes).e_machine =
      GetParam().order == ELFDATA2MSB ? __builtin_bswap16(machine) : machine;
  const std::string here(ThisMachine().name);
  const std::string finding = std::string(GetParam().finding) +
                              "; this program is " + here +
                              ": install its build for " + here;
  EXPECT_THAT(Parse(bytes).findings, ElementsAre(finding));
  // The header says so first.
  constexpr size_t kProcessorEnd = 20;
  const size_t whole =
      GetParam().word == ELFCLASS32 ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr);
  for (size_t size = kProcessorEnd; size < whole; ++size) {
    EXPECT_THAT(Parse(bytes.substr(0, size)).findings,
                ElementsAre(finding, StartsWith("FSP035: the ELF header has")));
  }
}

const Foreign kForeign[] = {
    {"aarch64", ELFCLASS64, ELFDATA2LSB, EM_AARCH64,
     "FSP007: it is for aarch64"},
    {"x86_64", ELFCLASS64, ELFDATA2LSB, EM_X86_64, "FSP007: it is for x86-64"},
    {"ppc64le", ELFCLASS64, ELFDATA2LSB, EM_PPC64, "FSP007: it is for ppc64le"},
    {"riscv64", ELFCLASS64, ELFDATA2LSB, EM_RISCV, "FSP007: it is for riscv64"},
    {"alpha", ELFCLASS64, ELFDATA2LSB, EM_ALPHA, "FSP007: it is for alpha"},
    {"hppa64", ELFCLASS64, ELFDATA2MSB, EM_PARISC, "FSP036: it is for hppa64"},
    {"m68k", ELFCLASS32, ELFDATA2MSB, EM_68K, "FSP006: it is for m68k"},
    {"loongarch64", ELFCLASS64, ELFDATA2LSB, EM_LOONGARCH,
     "FSP007: it is for loongarch64"},
    {"e2k", ELFCLASS64, ELFDATA2LSB, 175, "FSP007: it is for e2k"},
    {"nios2", ELFCLASS32, ELFDATA2LSB, EM_ALTERA_NIOS2,
     "FSP006: it is for nios2"},
    {"amdgpu", ELFCLASS64, ELFDATA2LSB, 224, "FSP007: it is for amdgpu"},
    {"lm32", ELFCLASS32, ELFDATA2MSB, EM_LATTICEMICO32,
     "FSP006: it is for lm32"},
    {"unnamed", ELFCLASS64, ELFDATA2LSB, 4711,
     "FSP007: it is for ELF machine 4711 (64-bit, little-endian)"},
    {"s390x", ELFCLASS64, ELFDATA2MSB, EM_S390, "FSP036: it is for s390x"},
    {"ppc64", ELFCLASS64, ELFDATA2MSB, EM_PPC64, "FSP036: it is for ppc64"},
    {"aarch64_be", ELFCLASS64, ELFDATA2MSB, EM_AARCH64,
     "FSP036: it is for aarch64_be"},
    {"i686", ELFCLASS32, ELFDATA2LSB, EM_386, "FSP006: it is for i686"},
    {"x32", ELFCLASS32, ELFDATA2LSB, EM_X86_64, "FSP006: it is for x32"},
    {"armv7l", ELFCLASS32, ELFDATA2LSB, EM_ARM, "FSP006: it is for armv7l"},
    {"mips", ELFCLASS32, ELFDATA2MSB, EM_MIPS, "FSP006: it is for mips"},
};

std::vector<Foreign> AllButThisMachine() {
  std::vector<Foreign> others;
  std::copy_if(std::begin(kForeign), std::end(kForeign),
               std::back_inserter(others), [](const Foreign& each) {
                 return each.word != ELFCLASS64 || each.order != ELFDATA2LSB ||
                        each.machine != ThisMachine().elf;
               });
  return others;
}

INSTANTIATE_TEST_SUITE_P(All, ForeignElfFile,
                         testing::ValuesIn(AllButThisMachine()),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

constexpr uint64_t kOutside = 0x7fff'ffff'ffff'fff0;

// Moves the dynamic section to the end, with so many entries before its own.
void PrependDynamicEntries(std::string& bytes, size_t count) {
  const Elf64_Phdr before = Segment(bytes, PT_DYNAMIC);
  const std::string own = bytes.substr(before.p_offset, before.p_filesz);
  bytes.resize((bytes.size() + 15) / 16 * 16);
  const size_t begin = bytes.size();
  Elf64_Dyn entry = {};
  entry.d_tag = DT_DEBUG;
  for (size_t i = 0; i < count; ++i) {
    bytes.append(reinterpret_cast<const char*>(&entry), sizeof(entry));
  }
  bytes += own;
  Elf64_Phdr& mapped = Segment(bytes, PT_LOAD);
  mapped.p_filesz = mapped.p_memsz = bytes.size() - mapped.p_offset;
  Elf64_Phdr& dynamic = Segment(bytes, PT_DYNAMIC);
  dynamic.p_offset = begin;
  dynamic.p_vaddr = mapped.p_vaddr + begin - mapped.p_offset;
  dynamic.p_filesz = bytes.size() - begin;
}

const Damage kDamages[] = {
    {"ManyDynamicEntries",
     [](std::string& bytes) { PrependDynamicEntries(bytes, 1024); },
     "FSP037: the dynamic section has more than 1024 entries; no real plugin "
     "has that many"},
    {"Empty", [](std::string& bytes) { bytes.clear(); },
     "FSP004: not an ELF file, so not a shared object"},
    {"Script",
     [](std::string& bytes) { bytes = "#!/bin/sh\necho I am no ELF file\n"; },
     "FSP004: not an ELF file, so not a shared object"},
    {"ZipArchive", [](std::string& bytes) { bytes.replace(0, 4, "PK\3\4"); },
     "FSP004: not an ELF file but a zip archive; if it is a wheel, name it in "
     "FSLOAD_PLUGIN_PATH, or load a shared object that it contains"},
    {"MagicOnly", [](std::string& bytes) { bytes.resize(SELFMAG); },
     "FSP035: the ELF header has 64 bytes, but the file has only 4; the file "
     "is truncated"},
    {"OddClass", [](std::string& bytes) { bytes[EI_CLASS] = ELFCLASSNONE; },
     "FSP006: wanted class 2 (64-bit), found 0; this process cannot run it"},
    {"OddByteOrder", [](std::string& bytes) { bytes[EI_DATA] = 3; },
     "FSP036: wanted byte order 1 (little-endian), found 3; this process "
     "cannot run it"},
    {"OldVersion", [](std::string& bytes) { bytes[EI_VERSION] = EV_NONE; },
     "FSP005: wanted version 1 (the current one), found 0; the dynamic linker "
     "does not load it"},
    {"AnotherSystem",
     [](std::string& bytes) { bytes[EI_OSABI] = ELFOSABI_FREEBSD; },
     "FSP095: wanted system 0 (System V or GNU), found 9; this process cannot "
     "run it"},
    {"Executable", [](std::string& bytes) { Header(bytes).e_type = ET_EXEC; },
     "FSP008: wanted type 3 (a shared object), found 2; the dynamic linker "
     "cannot load it"},
    {"ObjectFile", [](std::string& bytes) { Header(bytes).e_type = ET_REL; },
     "FSP008: wanted type 3 (a shared object), found 1; the dynamic linker "
     "cannot load it"},
    {"OddProgramHeaders",
     [](std::string& bytes) { Header(bytes).e_phentsize = 55; },
     "FSP005: wanted program headers of 56 bytes, found 55; the file is "
     "damaged"},
    {"ProgramHeadersOutside",
     [](std::string& bytes) {
       Header(bytes).e_phoff = kOutside;
       Header(bytes).e_phnum = 7;
     },
     "FSP035: 7 program headers begin at offset 9223372036854775792, but the "
     "file has only SIZE bytes; the file is truncated"},
    {"ManyProgramHeaders",
     [](std::string& bytes) {
       Header(bytes).e_phoff = bytes.size();
       Header(bytes).e_phnum = 65000;
       bytes.resize(bytes.size() + 65000 * sizeof(Elf64_Phdr));
     },
     "FSP037: there are 65000 program headers; no real plugin has that many"},
    {"NotesOutside",
     [](std::string& bytes) {
       Elf64_Phdr& note = Segment(bytes, PT_GNU_STACK);
       note.p_type = PT_NOTE;
       note.p_vaddr = 0x100000;
       note.p_memsz = 32;
       note.p_align = 8;
     },
     "FSP005: 32 bytes of notes at 0x100000 are in no segment that is loaded; "
     "the file is damaged"},
    {"NoProgramHeaders", [](std::string& bytes) { Header(bytes).e_phnum = 0; },
     "FSP005: it has no dynamic section; the file is damaged"},
    {"SegmentOutside",
     [](std::string& bytes) {
       Segment(bytes, PT_LOAD).p_offset = 16;
       Segment(bytes, PT_LOAD).p_filesz = kOutside;
     },
     "FSP035: a segment of 9223372036854775792 bytes begins at offset 16, but "
     "the file has only SIZE bytes; the file is truncated"},
    {"SegmentsOutOfOrder",
     [](std::string& bytes) {
       Segment(bytes, PT_LOAD).p_vaddr = 0;
       Segment(bytes, PT_LOAD).p_offset = 0;
     },
     "FSP005: the segment at 0x0 is not in the order of addresses; the file is "
     "damaged"},
    {"NoDynamicSection",
     [](std::string& bytes) { Segment(bytes, PT_DYNAMIC).p_type = PT_NOTE; },
     "FSP005: it has no dynamic section; the file is damaged"},
    {"DynamicSectionOutside",
     [](std::string& bytes) { Segment(bytes, PT_DYNAMIC).p_vaddr = kOutside; },
     "FSP005: it has no dynamic section; the file is damaged"},
    {"EndlessDynamicSection",
     [](std::string& bytes) {
       Segment(bytes, PT_DYNAMIC).p_filesz = 3 * sizeof(Elf64_Dyn);
     },
     "FSP005: the dynamic section has 3 entries and no end; the file is "
     "damaged"},
    {"StringTableOutside",
     [](std::string& bytes) {
       DynamicEntry(bytes, DT_STRTAB).d_un.d_ptr = kOutside;
     },
     "FSP005: the string table is missing or outside the file; the file is "
     "damaged"},
    {"StringTableTooLong",
     [](std::string& bytes) {
       DynamicEntry(bytes, DT_STRSZ).d_un.d_val = kOutside;
     },
     "FSP005: the string table is missing or outside the file; the file is "
     "damaged"},
    // The dynamic linker uses the last entry of each kind.
    {"SecondStringTable",
     [](std::string& bytes) {
       DynamicEntry(bytes, DT_NULL) = {DT_STRTAB, {kOutside}};
     },
     "FSP005: the string table is missing or outside the file; the file is "
     "damaged"},
    {"LibraryNameOutside",
     [](std::string& bytes) {
       DynamicEntry(bytes, DT_STRSZ).d_un.d_val = 100;
       DynamicEntry(bytes, DT_NEEDED).d_un.d_val = 100;
     },
     "FSP005: a library's name is at offset 100 of a string table of 100 "
     "bytes; the file is damaged"},
    {"SymbolTableOutside",
     [](std::string& bytes) {
       DynamicEntry(bytes, DT_SYMTAB).d_un.d_ptr = kOutside;
     },
     "FSP005: the symbol table or its hash table is missing or does not fit; "
     "the file is damaged"},
    // Some linkers write both kinds.
    {"HashTablesOutside",
     [](std::string& bytes) {
       const Elf64_Phdr dynamic = Segment(bytes, PT_DYNAMIC);
       for (size_t i = 0; i < dynamic.p_filesz; i += sizeof(Elf64_Dyn)) {
         auto& entry = At<Elf64_Dyn>(bytes, dynamic.p_offset + i);
         if (entry.d_tag != DT_HASH && entry.d_tag != DT_GNU_HASH) continue;
         entry.d_un.d_ptr = kOutside;
       }
     },
     "FSP005: the symbol table or its hash table is missing or does not fit; "
     "the file is damaged"},
    {"RelocationsOutside",
     [](std::string& bytes) {
       DynamicEntry(bytes, DT_RELA).d_un.d_ptr = kOutside;
       DynamicEntry(bytes, DT_RELASZ).d_un.d_val = 48;
     },
     "FSP005: of 2 relocations, number 0 is outside the file; the file is "
     "damaged"},
    {"MoreRelativeRelocationsThanAll",
     [](std::string& bytes) {
       DynamicEntry(bytes, DT_RELASZ).d_un.d_val = 48;
       DynamicEntry(bytes, DT_RELACOUNT).d_un.d_val = 3;
     },
     "FSP005: of 2 relocations, the first 3 are said to be relative "
     "(DT_RELACOUNT); the file is damaged"},
    {"RelocationOfUnknownKind",
     [](std::string& bytes) {
       const size_t table = DynamicEntry(bytes, DT_RELA).d_un.d_ptr;
       At<Elf64_Rela>(bytes, table).r_info = ELF64_R_INFO(0, 255);
     },
     "FSP005: relocation 0 is of kind 255, which the dynamic linker of MACHINE "
     "does not know; the file is damaged"},
    {"RelocationOutside",
     [](std::string& bytes) {
       const size_t table = DynamicEntry(bytes, DT_RELA).d_un.d_ptr;
       At<Elf64_Rela>(bytes, table).r_offset = 0x100000;
     },
     "FSP005: relocation 0 is for 0x100000, which is in no segment that is "
     "loaded; the file is damaged"},
    {"VersionWithAnotherHash",
     [](std::string& bytes) {
       const size_t needs = DynamicEntry(bytes, DT_VERNEED).d_un.d_ptr;
       const size_t first = needs + At<Elf64_Verneed>(bytes, needs).vn_aux;
       // No version like GLIBC_2.2.5 has this hash.
       At<Elf64_Vernaux>(bytes, first).vna_hash = 1;
       At<Elf64_Vernaux>(bytes, first).vna_name = 0;
     },
     "FSP005: wanted hash 0x0 of the version , found 0x1; the file is damaged"},
    // The dynamic linker ends the process over these.
    {"OddRelocations",
     [](std::string& bytes) {
       DynamicEntry(bytes, DT_RELAENT).d_un.d_val = 23;
     },
     "FSP005: wanted relocations of 24 bytes, found 23; the file is damaged"},
    {"RelocationsOfUnknownSize",
     [](std::string& bytes) {
       DynamicEntry(bytes, DT_RELAENT).d_tag = DT_DEBUG;
     },
     "FSP005: wanted relocations of 24 bytes, found 0; the file is damaged"},
    {"OddPackedRelocations",
     [](std::string& bytes) {
       DynamicEntry(bytes, DT_NULL) = {DT_RELR, {0}};
     },
     "FSP005: wanted relocations of 8 bytes, found 0; the file is damaged"},
    {"CallsBoundWithoutAddends",
     [](std::string& bytes) {
       DynamicEntry(bytes, DT_PLTREL).d_un.d_val = DT_REL;
     },
     "FSP005: wanted calls bound by relocations of kind 7, found 17; the file "
     "is damaged"},
    {"VersionNeedsOutside",
     [](std::string& bytes) {
       DynamicEntry(bytes, DT_VERNEED).d_un.d_ptr = kOutside;
     },
     "FSP005: version need 0 is outside the file; the file is damaged"},
};

INSTANTIATE_TEST_SUITE_P(Elf, DamagedElfFile, testing::ValuesIn(kDamages),
                         [](const testing::TestParamInfo<Damage>& info) {
                           return std::string(info.param.name);
                         });

TEST(ElfFile, FindsTheDynamicSectionWhereItIsMapped) {
  std::string bytes = Minimal();
  Segment(bytes, PT_DYNAMIC).p_offset = 0;  // the dynamic linker ignores it
  const Parsed parsed = Parse(bytes);
  EXPECT_THAT(parsed.findings, IsEmpty());
  ASSERT_TRUE(parsed.file.has_value());
  EXPECT_TRUE(parsed.file->Imports("TF_SetStatus"));
}

TEST(ElfFile, FindsVersionNeedsThatNobodyCounted) {
  std::string bytes = Minimal();
  const auto before = Parse(bytes).file->versions().libraries().size();
  DynamicEntry(bytes, DT_VERNEEDNUM).d_un.d_val = 0;
  const Parsed parsed = Parse(bytes);
  ASSERT_TRUE(parsed.file.has_value());
  EXPECT_GT(before, 1);
  EXPECT_EQ(parsed.file->versions().libraries().size(), before);
}

TEST(ElfFile, KnowsNamesThatShareTheirBytes) {
  std::string bytes = Minimal();
  const uint64_t name = DynamicEntry(bytes, DT_NEEDED, 1).d_un.d_val;
  DynamicEntry(bytes, DT_NEEDED, 2).d_un.d_val = name + 3;
  const Parsed parsed = Parse(bytes);
  ASSERT_TRUE(parsed.file.has_value());
  const std::vector<ElfFile::Text>& needed = parsed.file->needed();
  ASSERT_EQ(needed.at(2).value, needed.at(1).value.substr(3));
  std::vector<std::string_view> shared;
  for (const ElfFile::Text& each : parsed.file->SharedNames()) {
    shared.push_back(each.value);
  }
  EXPECT_THAT(shared, ElementsAre(needed[1].value, needed[2].value));
}

TEST(ElfFile, HasASpareEntryWhereTwoNullsEndTheDynamicSection) {
  std::string bytes = Minimal();
  const size_t terminator =
      reinterpret_cast<char*>(&DynamicEntry(bytes, DT_NULL)) - bytes.data();
  EXPECT_EQ(Parse(bytes).file->image().spare_dynamic_entry(), terminator);
  Elf64_Phdr& dynamic = Segment(bytes, PT_DYNAMIC);
  dynamic.p_filesz = terminator + sizeof(Elf64_Dyn) - dynamic.p_offset;
  EXPECT_EQ(Parse(bytes).file->image().spare_dynamic_entry(), std::nullopt);
}

TEST(ElfFile, MayHaveManyDynamicEntries) {
  std::string bytes = Minimal();
  PrependDynamicEntries(bytes, 900);
  EXPECT_THAT(Parse(bytes).findings, IsEmpty());
}

// Some are no part of what is loaded; the dynamic linker reads those that are
// aligned to words.
TEST(ElfFile, MayHaveNotesThatTheDynamicLinkerDoesNotRead) {
  std::string bytes = Minimal();
  Elf64_Phdr& note = Segment(bytes, PT_GNU_STACK);
  note.p_type = PT_NOTE;
  note.p_vaddr = 0x100000;
  note.p_memsz = 32;
  note.p_align = 4;
  EXPECT_THAT(Parse(bytes).findings, IsEmpty());
}

TEST(ElfFile, NeedsNoSectionHeaders) {
  std::string bytes = Minimal();
  Header(bytes).e_shoff = kOutside;
  Header(bytes).e_shnum = 0xffff;
  EXPECT_THAT(Parse(bytes).findings, IsEmpty());
}

}  // namespace
}  // namespace fsload
