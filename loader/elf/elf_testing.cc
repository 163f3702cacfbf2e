#include "loader/elf/elf_testing.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <utility>

#include "loader/machine/machine.h"
#include "loader/testing/test_files.h"

namespace fsload {

std::string Minimal() { return ReadFile("testdata/minimal.so"); }

Elf64_Ehdr& Header(std::string& bytes) { return At<Elf64_Ehdr>(bytes, 0); }

Elf64_Phdr& Segment(std::string& bytes, uint32_t type) {
  const Elf64_Ehdr& header = Header(bytes);
  for (int i = header.e_phnum - 1; i >= 0; --i) {
    auto& segment =
        At<Elf64_Phdr>(bytes, header.e_phoff + i * sizeof(Elf64_Phdr));
    if (segment.p_type == type) return segment;
  }
  ADD_FAILURE() << "no segment of type " << type;
  std::abort();
}

Elf64_Dyn& DynamicEntry(std::string& bytes, int64_t tag, int skip) {
  const Elf64_Phdr& dynamic = Segment(bytes, PT_DYNAMIC);
  for (size_t i = 0; i < dynamic.p_filesz; i += sizeof(Elf64_Dyn)) {
    auto& entry = At<Elf64_Dyn>(bytes, dynamic.p_offset + i);
    if (entry.d_tag == tag && skip-- == 0) return entry;
  }
  ADD_FAILURE() << "no dynamic entry " << tag;
  std::abort();
}

std::string ForOther(std::string bytes) {
  const bool from_x86_64 = &ThisMachine() == &kX86_64;
  const Machine& other = from_x86_64 ? kAarch64 : kX86_64;
  // What every file has beside what Machine says.
  const uint32_t relative =
      from_x86_64 ? R_X86_64_RELATIVE : R_AARCH64_RELATIVE;
  const uint32_t other_relative =
      from_x86_64 ? R_AARCH64_RELATIVE : R_X86_64_RELATIVE;
  const std::pair<uint32_t, uint32_t> kinds[] = {
      {relative, other_relative},
      {ThisMachine().pointer, other.pointer},
      {ThisMachine().global_slot, other.global_slot},
      {ThisMachine().call_slot, other.call_slot}};
  for (const auto& [table, size] :
       {std::pair<int64_t, int64_t>{DT_RELA, DT_RELASZ},
        std::pair<int64_t, int64_t>{DT_JMPREL, DT_PLTRELSZ}}) {
    const uint64_t begin = DynamicEntry(bytes, table).d_un.d_ptr;
    const uint64_t end = begin + DynamicEntry(bytes, size).d_un.d_val;
    for (uint64_t at = begin; at < end; at += sizeof(Elf64_Rela)) {
      auto& info = At<Elf64_Rela>(bytes, at).r_info;
      for (const auto& [from, to] : kinds) {
        if (ELF64_R_TYPE(info) != from) continue;
        info = ELF64_R_INFO(ELF64_R_SYM(info), to);
        break;
      }
    }
  }
  Header(bytes).e_machine = other.elf;
  return bytes;
}

Parsed Parse(std::string_view bytes) {
  Parsed parsed;
  parsed.bytes.reset(new char[bytes.size()]);
  std::memcpy(parsed.bytes.get(), bytes.data(), bytes.size());
  Findings findings;
  parsed.file = ElfFile::Parse({parsed.bytes.get(), bytes.size()}, findings);
  for (const Finding& finding : findings.all()) {
    parsed.findings.push_back(ToString(finding));
  }
  return parsed;
}

}  // namespace fsload
