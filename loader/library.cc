#include "loader/library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_replace.h"
#include "compat/host_symbols.h"
#include "loader/debug.h"
#include "loader/elf_file.h"
#include "loader/host_process.h"
#include "loader/imports_library.h"
#include "loader/plugin_file.h"
#include "loader/search_path.h"
#include "loader/static_pass.h"
#include "loader/status_binding.h"

namespace fsload {
namespace {

constexpr const char* kSharedName = kInitName;

constexpr std::string_view kHostSymbols[] = {
#define FSLOAD_ROW(function) #function,
    FSLOAD_FOR_EACH_HOST_SYMBOL(FSLOAD_ROW)
#undef FSLOAD_ROW
};

// Unique in this process, even where it has fsload twice, and no longer than
// the name that it replaces.
std::string NewImportsName() {
  static std::atomic<unsigned> count{0};
  return fmt::format("fsload.{:x}.{:x}", reinterpret_cast<uintptr_t>(&count),
                     ++count);
}

// The host's functions, of which `file` imports some.
std::vector<ImportedFunction> ImportsOf(const ElfFile& file) {
  std::vector<ImportedFunction> imports;
  for (const std::string_view name : kHostSymbols) {
    if (!file.Imports(name)) continue;
    imports.push_back({std::string(name), HostSymbol(name)});
  }
  return imports;
}

bool AddSystemError(std::string_view call, Findings& findings) {
  findings.Add(RuleId::kPrivateCopy,
               fmt::format("wanted a private copy of the plugin: {}: {}; it is "
                           "not loaded",
                           call, strerror(errno)));
  return false;
}

// Makes the dynamic entries that name the framework library name `soname`.
bool RenameFramework(const ElfFile& file, const std::string& soname,
                     PrivateCopy& contents, Findings& findings) {
  for (const ElfFile::Text& needed : file.needed()) {
    if (!IsFramework(needed.value)) continue;
    std::string name = soname;
    name.resize(needed.value.size(), '\0');
    if (!contents.Overwrite(needed.file_offset, name)) {
      return AddSystemError("pwrite", findings);
    }
  }
  return true;
}

// Adds a dynamic entry that names the library `kSharedName`.
bool AddNeeded(const ElfFile& file, PrivateCopy& contents, Findings& findings) {
  const Elf64_Dyn needed = {
      DT_NEEDED, {file.StringOffset(file.FindExported(kSharedName)->name)}};
  return contents.Overwrite(
             *file.spare_dynamic_entry(),
             {reinterpret_cast<const char*>(&needed), sizeof(needed)}) ||
         AddSystemError("pwrite", findings);
}

void* Open(const std::string& path) {
  return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
}

// The generated library that one plugin, or several, find the host in. Closed
// together with its descriptor, whose name must not stay behind, unless a
// plugin has taken its contents.
struct Imports {
  Imports() = default;
  Imports(Imports&&) = default;
  Imports& operator=(Imports&&) = default;
  ~Imports() {
    if (contents != nullptr && handle != nullptr) dlclose(handle);
  }

  std::unique_ptr<PrivateCopy> contents;
  void* handle = nullptr;
};

// Opens a library with these functions under `soname`; without a handle, and
// with a finding, on failure.
Imports OpenImports(const std::string& soname,
                    const std::vector<ImportedFunction>& functions,
                    Findings& findings) {
  Imports imports;
  imports.contents = PrivateCopy::OfBytes(
      soname, BuildImportsLibrary(soname, functions), findings);
  if (imports.contents == nullptr) return imports;
  if (!imports.contents->Seal()) {
    AddSystemError("sealing", findings);
    return imports;
  }
  imports.handle = Open(imports.contents->path());
  if (imports.handle == nullptr) {
    findings.Add(RuleId::kDynamicLinking,
                 fmt::format("wanted to open the library of the host's "
                             "functions: {}; the plugin cannot call its host",
                             dlerror()));
  }
  return imports;
}

// The library for all plugins that have no room for a name of their own. Its
// name is one that every plugin's string table has.
void* OpenSharedImports(Findings& findings) {
  static const Imports* shared = nullptr;
  if (shared != nullptr) return shared->handle;
  std::vector<ImportedFunction> all;
  for (const std::string_view name : kHostSymbols) {
    all.push_back({std::string(name), HostSymbol(name)});
  }
  Imports imports = OpenImports(kSharedName, all, findings);
  if (imports.handle == nullptr) return nullptr;
  shared = new Imports(std::move(imports));
  return shared->handle;
}

// `path` from the root on, its links as they are: a name without a slash would
// be searched for elsewhere.
std::string AbsolutePath(const std::string& path) {
  std::error_code error;
  const std::string whole = std::filesystem::absolute(path, error);
  return error ? path : whole;
}

// The entries of `search_path` that start at $ORIGIN, with `folder` in its
// place.
std::vector<std::string> OriginFolders(std::string_view search_path,
                                       const std::string& folder) {
  std::vector<std::string> folders;
  while (!search_path.empty()) {
    const size_t colon = std::min(search_path.find(':'), search_path.size());
    const std::string_view entry = search_path.substr(0, colon);
    search_path.remove_prefix(std::min(colon + 1, search_path.size()));
    for (const std::string_view origin : {"$ORIGIN", "${ORIGIN}"}) {
      if (entry.substr(0, origin.size()) != origin) continue;
      folders.push_back(folder + std::string(entry.substr(origin.size())));
    }
  }
  return folders;
}

// Says why the dynamic linker opens no plugin with these contents: all that the
// plugin lacks, or else `words`, the dynamic linker's own, which name the first
// thing only. Looking for all that is too slow to be done before each load.
void Explain(const PrivateCopy& contents, const std::string& path,
             bool in_place, std::string words, Findings& findings) {
  const size_t before = findings.all().size();
  // Read again: it names other libraries than before.
  Findings ignored;
  const std::optional<ElfFile> file = ElfFile::Parse(contents.bytes(), ignored);
  if (file.has_value()) CheckLinking(*file, path, in_place, findings);
  if (findings.all().size() == before) {
    findings.Add(RuleId::kDynamicLinking, std::move(words));
  }
}

// Opens what the plugin needs from beside its file: its copy has no folder, so
// the dynamic linker would not find it there.
bool OpenNeighbours(const ElfFile& file, const PrivateCopy& contents,
                    const std::string& path, Findings& findings) {
  if (path.empty()) return true;
  const std::string folder = FolderOfFile(path);
  for (const ElfFile::Text& search_path : file.search_paths()) {
    for (const std::string& each : OriginFolders(search_path.value, folder)) {
      for (const ElfFile::Text& needed : file.needed()) {
        const std::string candidate = each + "/" + std::string(needed.value);
        if (IsFramework(needed.value) || access(candidate.c_str(), F_OK) != 0 ||
            Open(candidate) != nullptr) {
          continue;
        }
        Explain(contents, path, /*in_place=*/false,
                fmt::format("wanted {} from beside the plugin: {}; the plugin "
                            "cannot run",
                            needed.value, dlerror()),
                findings);
        return false;
      }
    }
  }
  return true;
}

// Makes the plugin name a library of the host's functions, and opens that. The
// handle is null for a plugin that takes none; false, and a finding, on
// failure.
bool LinkImports(const ElfFile& file, Library& library, Imports& imports,
                 Findings& findings) {
  const std::vector<ImportedFunction> functions = ImportsOf(file);
  for (const ImportedFunction& function : functions) {
    library.imports.push_back(function.name);
  }
  if (!CheckRoomForImports(file, !functions.empty(), findings)) return false;
  if (NamesFramework(file)) {
    const std::string soname = NewImportsName();
    if (!RenameFramework(file, soname, *library.contents, findings)) {
      return false;
    }
    imports = OpenImports(soname, functions, findings);
    return imports.handle != nullptr;
  }
  if (functions.empty()) return true;
  if (!AddNeeded(file, *library.contents, findings)) return false;
  imports.handle = OpenSharedImports(findings);
  return imports.handle != nullptr;
}

std::string Joined(const std::vector<ElfFile::Text>& texts) {
  std::vector<std::string_view> values;
  for (const ElfFile::Text& text : texts) values.push_back(text.value);
  return values.empty() ? "nothing" : fmt::format("{}", fmt::join(values, " "));
}

std::string Summary(const std::string& path, const ElfFile& file) {
  return fmt::format("{}: {} dynamic symbols, needs {}, searches {}",
                     path.empty() ? "bytes" : path, file.symbols().size(),
                     Joined(file.needed()), Joined(file.search_paths()));
}

// What the dynamic linker said last, with the plugin's own name where it names
// the copy.
std::string LinkerWords(const PrivateCopy& copy, const std::string& path) {
  return absl::StrReplaceAll(
      dlerror(), {{copy.path(), path.empty() ? "the plugin" : path}});
}

// Whether the process would outlive an attempt to open `file`: the dynamic
// linker ends it over some libraries that it has yet to find.
bool CheckForAborts(const ElfFile& file, const OpenOptions& options,
                    Findings& findings) {
  const std::vector<LoadedLibrary> loaded = FindLoadedLibraries();
  const bool all_loaded =
      std::all_of(file.needed().begin(), file.needed().end(),
                  [&](const ElfFile::Text& needed) {
                    return IsFramework(needed.value) ||
                           std::any_of(loaded.begin(), loaded.end(),
                                       [&](const LoadedLibrary& each) {
                                         return each.soname == needed.value;
                                       });
                  });
  return all_loaded || CheckVersionsOfLibraries(file, options.path,
                                                options.in_place, findings);
}

// Links what `library` imports, opens it and finds its entry; false, and
// findings, when it cannot be opened.
bool Open(const ElfFile& file, const OpenOptions& options, Library& library,
          Findings& findings) {
  Imports imports;
  if (!options.in_place && !LinkImports(file, library, imports, findings)) {
    return false;
  }
  if (!library.contents->Seal()) return AddSystemError("sealing", findings);
  if (options.in_place && !options.trust.allow_list.empty()) {
    findings.Add(RuleId::kAllowed,
                 "wanted to load the bytes that are checked against the allow "
                 "list, found that the file is to be opened in place; others "
                 "may change it in between");
    return false;
  }
  // No code of the plugin, or of what it brings, has run yet.
  if (!CheckAllowed(*library.contents, options.trust, findings) ||
      (!options.in_place &&
       !OpenNeighbours(file, *library.contents, options.path, findings))) {
    return false;
  }
  void* const handle = Open(options.in_place ? AbsolutePath(options.path)
                                             : library.contents->path());
  if (handle == nullptr) {
    Explain(*library.contents, options.path, options.in_place,
            fmt::format("wanted the dynamic linker to open the plugin: {}; it "
                        "is not loaded",
                        LinkerWords(*library.contents, options.path)),
            findings);
    return false;
  }
  library.imports_library = std::move(imports.contents);
  std::optional<StatusBinding> binding =
      BindStatus(handle, file, imports.handle, library.findings);
  if (!binding.has_value()) return true;
  library.status = binding->provider;
  library.status_provider = std::move(binding->name);
  library.init = reinterpret_cast<InitFunction>(dlsym(handle, kInitName));
  if (library.init == nullptr) {
    library.findings.Add(
        RuleId::kEntryPoint,
        fmt::format("wanted an exported function {}, found none that the "
                    "dynamic linker finds; this is no filesystem plugin",
                    kInitName));
  }
  return true;
}

}  // namespace

std::unique_ptr<Library> OpenLibrary(std::unique_ptr<PrivateCopy> contents,
                                     const OpenOptions& options,
                                     Findings& findings) {
  auto library = std::make_unique<Library>();
  library->contents = std::move(contents);
  const std::optional<ElfFile> file =
      ElfFile::Parse(library->contents->bytes(), findings);
  if (!file.has_value() || !CheckEntryPoint(*file, findings) ||
      !CheckFrameworkVersions(*file, findings)) {
    return nullptr;
  }
  if (IsDebugged(DebugTopic::kElf)) {
    LogDebug(DebugTopic::kElf, Summary(options.path, *file));
  }
  WarnOfDangers(*file, library->findings);
  if (CheckForAborts(*file, options, findings) &&
      Open(*file, options, *library, findings)) {
    return library;
  }
  findings.AddAll(library->findings);
  return nullptr;
}

}  // namespace fsload
