#include "loader/linking/linked_imports.h"

#include <dlfcn.h>
#include <elf.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compat/host_symbols.h"
#include "loader/libraries/host_process.h"
#include "loader/static_pass/plugin_file.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr const char* kSharedName = kInitName;

constexpr std::string_view kHostSymbols[] = {
#define FSLOAD_ROW(function) #function,
    FSLOAD_FOR_EACH_HOST_SYMBOL(FSLOAD_ROW)
#undef FSLOAD_ROW
};

// Unique in this process, even if fsload is in it twice, and no longer than the
// name that it replaces.
std::string NewImportsName() {
  // The default order; relaxed would do: only that each call gets another
  // number counts.
  static std::atomic<unsigned> count{0};
  return Format("fsload.{:x}.{:x}", reinterpret_cast<uintptr_t>(&count),
                ++count);
}

// The host's functions that `file` imports.
std::vector<ImportedFunction> ImportsOf(const ElfFile& file) {
  std::vector<ImportedFunction> imports;
  for (const std::string_view name : kHostSymbols) {
    if (!file.Imports(name)) continue;
    imports.push_back({std::string(name), HostSymbol(name)});
  }
  return imports;
}

// Makes the dynamic entries that name the framework library name `soname`
// instead.
bool RenameFramework(const ElfFile& file, const std::string& soname,
                     PrivateCopy& contents, Findings& findings) {
  for (const ElfFile::Text& needed : file.needed()) {
    if (!IsFramework(needed.value)) continue;
    std::string name = soname;
    name.resize(needed.value.size(), '\0');
    if (!contents.Overwrite(needed.file_offset, name)) {
      AddCopyRefusal("pwrite", findings);
      return false;
    }
  }
  return true;
}

// Adds a dynamic entry that names the library `soname`, a string of the file.
bool AddNeeded(const ElfFile& file, const ElfFile::Text& soname,
               PrivateCopy& contents, Findings& findings) {
  const Elf64_Dyn needed = {DT_NEEDED, {file.StringOffset(soname)}};
  if (contents.Overwrite(
          *file.image().spare_dynamic_entry(),
          {reinterpret_cast<const char*>(&needed), sizeof(needed)})) {
    return true;
  }
  AddCopyRefusal("pwrite", findings);
  return false;
}

// Opens a library with these functions under `soname`; none, with a finding, on
// failure.
std::optional<LinkedImports> OpenImports(
    const std::string& soname, const std::vector<ImportedFunction>& functions,
    Findings& findings) {
  LinkedImports imports;
  imports.contents = PrivateCopy::OfBytes(
      soname, BuildImportsLibrary(soname, functions), findings);
  if (imports.contents == nullptr) return std::nullopt;
  if (!imports.contents->Seal()) {
    AddCopyRefusal("sealing", findings);
    return std::nullopt;
  }
  void* const handle =
      dlopen(imports.contents->path().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    findings.Add(RuleId::kDynamicLinking,
                 Format("cannot open the library of the host's functions: "
                        "{}; the plugin cannot call its host",
                        dlerror()));
    return std::nullopt;
  }
  imports.handle = std::shared_ptr<void>(handle, &dlclose);
  return imports;
}

// The library for all plugins without room for a name of their own. Its name is
// one that every plugin's string table contains. Null, with a finding, on
// failure.
std::shared_ptr<void> OpenSharedImports(Findings& findings) {
  static const LinkedImports* shared = nullptr;
  if (shared != nullptr) return shared->handle;
  std::vector<ImportedFunction> all;
  for (const std::string_view name : kHostSymbols) {
    all.push_back({std::string(name), HostSymbol(name)});
  }
  std::optional<LinkedImports> imports =
      OpenImports(kSharedName, all, findings);
  if (!imports.has_value()) return nullptr;
  shared = new LinkedImports(*std::move(imports));
  return shared->handle;
}

// A string of the file that is not the name of any library in this process: a
// plugin that can only refer to its own strings still gets a library for
// itself.
std::optional<ElfFile::Text> FindFreeName(const ElfFile& file) {
  const std::vector<LoadedLibrary> loaded = FindLoadedLibraries();
  for (const ElfFile::Symbol& symbol : file.symbols()) {
    const std::string_view name = symbol.name.value;
    if (name.empty() || name == kSharedName ||
        name.find('/') != std::string_view::npos) {
      continue;
    }
    if (!HasSoname(loaded, name)) return symbol.name;
  }
  return std::nullopt;
}

// For a plugin that does not name the framework library: makes it name one of
// its own, with these functions.
std::optional<LinkedImports> LinkByOwnString(
    const ElfFile& file, const std::vector<ImportedFunction>& functions,
    PrivateCopy& contents, Findings& findings) {
  const std::optional<ElfFile::Text> name = FindFreeName(file);
  if (!name.has_value()) {
    findings.Add(RuleId::kRoomForImports,
                 "none of the plugin's strings is free to name the library "
                 "that replaces missing functions; link the plugin with "
                 "-ltensorflow_framework");
    return std::nullopt;
  }
  const std::string soname(name->value);
  if (!AddNeeded(file, *name, contents, findings)) return std::nullopt;
  return OpenImports(soname, functions, findings);
}

// The same with the library that it shares with others.
std::optional<LinkedImports> LinkShared(const ElfFile& file,
                                        PrivateCopy& contents,
                                        Findings& findings) {
  LinkedImports imports;
  if (!AddNeeded(file, file.FindExported(kSharedName)->name, contents,
                 findings)) {
    return std::nullopt;
  }
  imports.handle = OpenSharedImports(findings);
  if (imports.handle == nullptr) return std::nullopt;
  return imports;
}

// Makes the plugin name a library with these functions, and opens it.
std::optional<LinkedImports> Link(
    const ElfFile& file, const std::vector<ImportedFunction>& functions,
    bool any_stubs, PrivateCopy& contents, Findings& findings) {
  if (!CheckRoomForImports(file, !functions.empty(), findings)) {
    return std::nullopt;
  }
  if (NamesFramework(file)) {
    const std::string soname = NewImportsName();
    if (!RenameFramework(file, soname, contents, findings)) return std::nullopt;
    return OpenImports(soname, functions, findings);
  }
  if (functions.empty()) return LinkedImports();
  return any_stubs ? LinkByOwnString(file, functions, contents, findings)
                   : LinkShared(file, contents, findings);
}

}  // namespace

std::optional<LinkedImports> LinkImports(
    const ElfFile& file, const std::vector<ImportedFunction>& stubs,
    PrivateCopy& contents, Findings& findings) {
  std::vector<ImportedFunction> functions = ImportsOf(file);
  std::vector<std::string> names;
  for (const ImportedFunction& function : functions) {
    names.push_back(function.name);
  }
  functions.insert(functions.end(), stubs.begin(), stubs.end());
  std::optional<LinkedImports> imports =
      Link(file, functions, !stubs.empty(), contents, findings);
  if (imports.has_value()) imports->names = std::move(names);
  return imports;
}

}  // namespace fsload
