// Prints what ElfFile reads from the file in its argument, for
// elf_file_oracle_test.py.
#include <fmt/format.h>

#include <cstdio>
#include <optional>

#include "loader/elf/elf_file.h"
#include "loader/testing/test_files.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string bytes = fsload::ReadFile(argv[1]);
  fsload::Findings findings;
  const auto file =
      fsload::ElfFile::Parse({bytes.data(), bytes.size()}, findings);
  for (const fsload::Finding& finding : findings.all()) {
    std::fputs(fmt::format("{}\n", ToString(finding)).c_str(), stderr);
  }
  if (!file.has_value()) return 1;
  std::string text;
  for (const auto& each : file->needed()) {
    text += fmt::format("needed {}\n", each.value);
  }
  for (const auto& each : file->search_paths()) {
    text += fmt::format("search {}\n", each.value);
  }
  for (const auto& each : file->symbols()) {
    text += fmt::format("symbol {} {:d} {:d} {:d}\n", each.name.value,
                        each.defined, each.visible, each.function);
  }
  for (const auto& each : file->slots()) {
    text += fmt::format("slot {} {:x}\n", each.symbol, each.address);
  }
  for (const auto& each : file->versioned_libraries()) {
    text += fmt::format("versions {}\n", each);
  }
  text += fmt::format("spare {:d}\n", file->spare_dynamic_entry().has_value());
  std::fputs(text.c_str(), stdout);
}
