#include "loader/static_pass/static_pass.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compat/host_symbols.h"
#include "loader/elf/demangle.h"
#include "loader/libraries/host_process.h"
#include "loader/libraries/library_search.h"
#include "loader/libraries/symbol_scope.h"
#include "loader/machine/machine.h"
#include "loader/static_pass/link_findings.h"
#include "loader/static_pass/plugin_file.h"
#include "loader/static_pass/plugin_libraries.h"
#include "loader/trust/private_copy.h"

namespace fsload {
namespace {

bool ProcessHas(const UnresolvedSymbol& symbol) {
  return IsGlobalSymbol(symbol.name, symbol.version);
}

bool HostHas(const UnresolvedSymbol& symbol) {
  return (symbol.wanted_by == 0 && HostSymbol(symbol.name) != nullptr) ||
         ProcessHas(symbol);
}

// Of a plugin for another processor, what its dynamic linker defines is not
// missed.
bool ForeignLinkerHas(const UnresolvedSymbol& symbol) {
  for (const Machine* const machine : AllMachines()) {
    for (const std::string_view each : machine->linker_symbols) {
      if (symbol.name == each) return true;
    }
  }
  return HostHas(symbol);
}

// Of the plugin alone: a library's needs are the dynamic linker's to find.
bool IsFrameworkOfPlugin(std::string_view library, size_t wanted_by) {
  return wanted_by == 0 && IsFramework(library);
}

// The dynamic linker of another processor, which libraries may need, too.
bool IsFrameworkOrLinker(std::string_view library, size_t wanted_by) {
  const absl::Span<const Machine* const> machines = AllMachines();
  return IsFrameworkOfPlugin(library, wanted_by) ||
         std::any_of(machines.begin(), machines.end(),
                     [&](const Machine* machine) {
                       return library == machine->linker;
                     });
}

// Returns what CheckBeforeOpening does.
std::vector<FoundLibrary> AllIfBrought(const Libraries& libraries) {
  std::vector<FoundLibrary> found;
  bool any_beside = false;
  for (size_t i = 1; i < libraries.found.size(); ++i) {
    const NeededLibrary& each = *libraries.found[i];
    any_beside |= each.is_brought && libraries.IsBesideObject(each.path);
    found.push_back({each.names, each.path,
                     each.file->StringOf(DT_SONAME) == each.names.front(),
                     each.is_brought});
  }
  if (!any_beside) found.clear();
  return found;
}

auto WhoHas(const ElfFile& file, bool in_place) {
  if (file.image().is_foreign()) return &ForeignLinkerHas;
  return in_place ? &ProcessHas : &HostHas;
}

Libraries LibrariesOf(const ElfFile& file, const std::string& path,
                      bool in_place) {
  SearchOptions search;
  if (file.image().is_foreign()) {
    search.replaced = &IsFrameworkOrLinker;
  } else if (!in_place) {
    search.replaced = &IsFrameworkOfPlugin;
  }
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

// The names for which a plugin, or a library that it brings, needs more than
// calls: it stores the address, or reads data there. A library's calls count
// too: stubs exist only for the plugin's own.
std::set<std::string_view> FindMoreThanCalled(const Libraries& libraries) {
  std::set<std::string_view> names;
  for (size_t i = 0; i < libraries.found.size(); ++i) {
    const NeededLibrary& library = *libraries.found[i];
    if (library.loaded) continue;
    for (const ElfFile::Symbol& symbol : library.file->symbols()) {
      const bool called = i == 0 && symbol.only_called;
      if (symbol.referenced && !symbol.defined && !called) {
        names.insert(symbol.name.value);
      }
    }
  }
  return names;
}

void AddLinking(const Libraries& libraries,
                const std::vector<MissingVersion>& versions, bool in_place,
                Findings& findings) {
  AddLinkFindings(
      libraries, versions,
      FindUnresolved(libraries, WhoHas(*libraries.found[0]->file, in_place)),
      in_place, findings);
}

// As FindMissingFunctions of static_pass.h.
std::vector<std::string> FindMissingFunctions(const Libraries& libraries,
                                              bool in_place,
                                              Findings& findings) {
  UnresolvedSymbols symbols =
      FindUnresolved(libraries, WhoHas(*libraries.found[0]->file, in_place));
  const std::set<std::string_view> more_than_called =
      FindMoreThanCalled(libraries);
  // Each once, even if needed in several versions.
  std::set<std::string> functions;
  UnresolvedSymbols others;
  others.complete = symbols.complete;
  for (UnresolvedSymbol& each : symbols.all) {
    if (in_place) {
      each.remark = "cannot be replaced: the plugin is opened in place";
    } else if (each.wanted_by != 0) {
      each.remark = "cannot be replaced: only the plugin's own imports can";
    } else if (more_than_called.count(each.name) != 0) {
      each.remark = "cannot be replaced: its address is taken";
    } else {
      functions.insert(each.name);
      continue;
    }
    others.all.push_back(std::move(each));
  }
  const size_t before = findings.all().size();
  AddLinkFindings(libraries, FindMissingVersions(libraries), others, in_place,
                  findings);
  if (findings.all().size() != before) return {};
  return {functions.begin(), functions.end()};
}

void AddMissingFunctions(const Libraries& libraries, bool in_place,
                         Findings& findings) {
  Demangler demangler;
  std::vector<std::string> functions;
  for (const std::string& each :
       FindMissingFunctions(libraries, in_place, findings)) {
    functions.push_back(demangler.Demangle(each));
  }
  if (!functions.empty()) AddStubFinding(functions, findings);
}

// All checks of a plugin's contents, except who may change them.
void CheckContents(const PrivateCopy& contents, const std::string& path,
                   const StaticOptions& options, Findings& findings) {
  const std::optional<ElfFile> file =
      ElfFile::Parse(contents.bytes(), findings, nullptr, Machines::kKnown);
  if (!file.has_value()) return;
  CheckEntryPoint(*file, findings);
  for (const Finding& finding : findings.all()) {
    if (finding.rule == RuleId::kEntryPoint) return;
  }
  CheckFrameworkVersions(*file, findings);
  if (!options.in_place) {
    CheckNamesOfLibraries(*file, findings);
    CheckRoomForImports(*file, ImportsFromHost(*file), findings);
  }
  WarnOfDangers(*file, findings);
  const Libraries libraries = LibrariesOf(*file, path, options.in_place);
  if (options.stub_missing_functions) {
    AddMissingFunctions(libraries, options.in_place, findings);
  } else {
    AddLinking(libraries, FindMissingVersions(libraries), options.in_place,
               findings);
  }
  CheckPluginLibraries(libraries, options.in_place, options.trust, findings);
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

LoadReport StaticReport(const std::string& plugin, const Findings& findings) {
  LoadReport report;
  report.plugin = plugin;
  report.findings = findings.all();
  if (const Finding* const refusal = findings.FirstRefusal()) {
    report.status = RefusalOf(plugin, *refusal);
  }
  return report;
}

void CheckLinking(const ElfFile& file, const std::string& path, bool in_place,
                  Findings& findings) {
  const Libraries libraries = LibrariesOf(file, path, in_place);
  AddLinking(libraries, FindMissingVersions(libraries), in_place, findings);
}

std::vector<std::string> FindMissingFunctions(const ElfFile& file,
                                              const std::string& path,
                                              bool in_place,
                                              Findings& findings) {
  return FindMissingFunctions(LibrariesOf(file, path, in_place), in_place,
                              findings);
}

std::optional<std::vector<FoundLibrary>> CheckBeforeOpening(
    const ElfFile& file, const std::string& path, bool in_place,
    const Trust& trust, Findings& findings) {
  const Libraries libraries = LibrariesOf(file, path, in_place);
  const std::vector<MissingVersion> versions = FindMissingVersions(libraries);
  const bool fatal =
      !libraries.complete ||
      std::any_of(versions.begin(), versions.end(),
                  [&](const MissingVersion& version) {
                    return IsFatal(version, libraries);
                  }) ||
      std::any_of(
          libraries.missing.begin(), libraries.missing.end(),
          [](const MissingLibrary& library) { return library.is_fatal; });
  if (fatal) {
    AddLinking(libraries, versions, in_place, findings);
    return std::nullopt;
  }
  if (!CheckPluginLibraries(libraries, in_place, trust, findings)) {
    return std::nullopt;
  }
  if (in_place || path.empty()) return std::vector<FoundLibrary>();
  return AllIfBrought(libraries);
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
