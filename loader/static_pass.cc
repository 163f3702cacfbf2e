#include "loader/static_pass.h"

#include <memory>
#include <optional>
#include <string>

#include "compat/host_symbols.h"
#include "loader/host_process.h"
#include "loader/library_search.h"
#include "loader/link_findings.h"
#include "loader/plugin_file.h"
#include "loader/private_copy.h"
#include "loader/symbol_scope.h"

namespace fsload {
namespace {

bool ProcessHas(const UnresolvedSymbol& symbol) {
  return IsGlobalSymbol(symbol.name, symbol.version);
}

bool HostHas(const UnresolvedSymbol& symbol) {
  return (symbol.wanted_by == 0 && HostSymbol(symbol.name) != nullptr) ||
         ProcessHas(symbol);
}

Libraries LibrariesOf(const ElfFile& file, const std::string& path,
                      bool in_place) {
  SearchOptions search;
  if (!in_place) search.replaced = &IsFramework;
  return FindLibraries(file, path, search);
}

bool ImportsFromHost(const ElfFile& file) {
  for (const ElfFile::Symbol& symbol : file.symbols()) {
    if (!symbol.defined && HostSymbol(symbol.name.value) != nullptr) {
      return true;
    }
  }
  return false;
}

// All checks of a plugin's contents, but for who may change them.
void CheckContents(const PrivateCopy& contents, const std::string& path,
                   const StaticOptions& options, Findings& findings) {
  const std::optional<ElfFile> file =
      ElfFile::Parse(contents.bytes(), findings);
  if (!file.has_value()) return;
  CheckEntryPoint(*file, findings);
  for (const Finding& finding : findings.all()) {
    if (finding.rule == RuleId::kEntryPoint) return;
  }
  CheckFrameworkVersions(*file, findings);
  if (!options.in_place) {
    CheckRoomForImports(*file, ImportsFromHost(*file), findings);
  }
  WarnOfDangers(*file, findings);
  CheckLinking(*file, path, options.in_place, findings);
}

Findings CheckCopy(std::unique_ptr<PrivateCopy> contents,
                   const std::string& path, const StaticOptions& options,
                   Findings findings) {
  if (contents == nullptr) return findings;
  CheckAllowed(*contents, options.trust, findings);
  CheckContents(*contents, path, options, findings);
  return findings;
}

}  // namespace

void CheckLinking(const ElfFile& file, const std::string& path, bool in_place,
                  Findings& findings) {
  const Libraries libraries = LibrariesOf(file, path, in_place);
  AddLinkFindings(libraries, FindMissingVersions(libraries),
                  FindUnresolved(libraries, in_place ? &ProcessHas : &HostHas),
                  in_place, findings);
}

bool CheckVersionsOfLibraries(const ElfFile& file, const std::string& path,
                              bool in_place, Findings& findings) {
  const Libraries libraries = LibrariesOf(file, path, in_place);
  for (const MissingVersion& version : FindMissingVersions(libraries)) {
    if (!IsFatal(version, libraries)) continue;
    CheckLinking(file, path, in_place, findings);
    return false;
  }
  return true;
}

Findings CheckStatically(const std::string& path,
                         const StaticOptions& options) {
  Findings findings;
  std::unique_ptr<PrivateCopy> contents = PrivateCopy::OfFile(path, findings);
  return CheckCopy(std::move(contents), path, options, std::move(findings));
}

Findings CheckBytesStatically(absl::Span<const char> bytes,
                              const StaticOptions& options) {
  Findings findings;
  std::unique_ptr<PrivateCopy> contents =
      PrivateCopy::OfBytes("plugin", bytes, findings);
  return CheckCopy(std::move(contents), "", options, std::move(findings));
}

}  // namespace fsload
