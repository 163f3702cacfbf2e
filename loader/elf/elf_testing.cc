#include "loader/elf/elf_testing.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

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
