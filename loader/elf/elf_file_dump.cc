// Prints what ElfFile reads from the file in its argument, for
// elf_file_oracle_test.py.
#include <cstdio>

#include "loader/elf/elf_file.h"
#include "loader/testing/test_files.h"
#include "third_party/fmt/format.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string bytes = fsload::ReadFile(argv[1]);
  fsload::Findings findings;
  const auto file =
      fsload::ElfFile::Parse({bytes.data(), bytes.size()}, findings);
  for (const fsload::Finding& finding : findings.all()) {
    std::fputs(fsload::Format("{}\n", ToString(finding)).c_str(), stderr);
  }
  if (!file.has_value()) return 1;
  std::string text;
  for (const auto& each : file->needed()) {
    text += fsload::Format("needed {}\n", each.value);
  }
  for (const auto& each : file->search_paths()) {
    text += fsload::Format("search {}\n", each.value);
  }
  for (const auto& each : file->symbols()) {
    text += fsload::Format("symbol {} {:d} {:d} {:d}\n", each.name.value,
                           each.defined, each.visible, each.function);
  }
  for (const auto& each : file->slots()) {
    text += fsload::Format("slot {} {:x}\n", each.symbol, each.address);
  }
  for (const auto& each : file->versions().libraries()) {
    text += fsload::Format("versions {}\n", each);
  }
  text += fsload::Format("spare {:d}\n",
                         file->image().spare_dynamic_entry().has_value());
  std::fputs(text.c_str(), stdout);
}
