// Prints what each of the files in its arguments lacks by itself, like `ldd
// -r`, for unresolved_oracle_test.py.
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "loader/elf/elf_file.h"
#include "loader/elf/file_bytes.h"
#include "loader/libraries/library_search.h"
#include "loader/libraries/symbol_scope.h"
#include "loader/rules/findings.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

std::string Lacking(const std::string& path) {
  const std::unique_ptr<FileBytes> bytes = FileBytes::Open(path);
  if (bytes == nullptr) return "unreadable\n";
  Findings findings;
  const std::optional<ElfFile> file =
      ElfFile::Parse(bytes->bytes(), findings, bytes.get());
  if (!file.has_value()) {
    return Format("refused {}\n", ToString(findings.all().front()));
  }
  SearchOptions options;
  options.in_process = false;
  const Libraries libraries = FindLibraries(*file, path, options);
  const UnresolvedSymbols symbols = FindUnresolved(libraries, nullptr);
  std::string text;
  for (const auto& each : libraries.found) {
    if (each->bytes != nullptr) text += Format("library {}\n", each->path);
  }
  for (const MissingLibrary& each : libraries.missing) {
    text += Format("missing {}\n", each.name);
  }
  for (const UnresolvedSymbol& each : symbols.all) {
    text += Format("undefined {} {}\n", each.name, each.version);
  }
  for (const MissingVersion& each : FindMissingVersions(libraries)) {
    text += Format("version {} {}\n", each.version, each.library);
  }
  if (!libraries.complete || !symbols.complete) text += "incomplete\n";
  return text;
}

}  // namespace
}  // namespace fsload

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    std::fputs(fsload::Format("file {}\n{}", argv[i], fsload::Lacking(argv[i]))
                   .c_str(),
               stdout);
  }
}
