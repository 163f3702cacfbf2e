#include "loader/linking/library.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "loader/elf/elf_file.h"
#include "loader/libraries/host_process.h"
#include "loader/libraries/search_path.h"
#include "loader/linking/guarded_calls.h"
#include "loader/linking/imports_library.h"
#include "loader/linking/linked_imports.h"
#include "loader/linking/status_binding.h"
#include "loader/linking/stubs.h"
#include "loader/report/debug.h"
#include "loader/static_pass/link_findings.h"
#include "loader/static_pass/plugin_file.h"
#include "loader/static_pass/static_pass.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Exceptions of static initialisers pass through dlopen, which is declared not
// to throw. A compiler that sees the declaration would end the process there.
void* Open(const std::string& path) {
  void* (*const volatile open)(const char*, int) = &dlopen;
  return open(path.c_str(), RTLD_NOW | RTLD_LOCAL);
}

// `path` made absolute, links not resolved: a name without a slash would be
// searched for elsewhere.
std::string AbsolutePath(const std::string& path) {
  std::error_code error;
  const std::string whole = std::filesystem::absolute(path, error);
  return error ? path : whole;
}

// The entries of `search_path` that start with $ORIGIN, replaced by `folder`.
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

// Reports why the dynamic linker cannot open a plugin with these contents:
// everything that the plugin lacks, or else `words`, the dynamic linker's
// message, which names only the first problem. Finding everything is too slow
// to do before each load. If stubs are allowed and are enough, returns the
// functions that need them instead.
std::vector<std::string> Explain(const PrivateCopy& contents,
                                 const OpenOptions& options,
                                 MissingSymbols missing_symbols,
                                 std::string words, Findings& findings) {
  const size_t before = findings.all().size();
  std::vector<std::string> functions;
  // Read again: it now names other libraries.
  Findings ignored;
  const std::optional<ElfFile> file = ElfFile::Parse(contents.bytes(), ignored);
  if (file.has_value() && missing_symbols == MissingSymbols::kStub) {
    functions =
        FindMissingFunctions(*file, options.path, options.in_place, findings);
  } else if (file.has_value()) {
    CheckLinking(*file, options.path, options.in_place, findings);
  }
  if (functions.empty() && findings.all().size() == before) {
    findings.Add(RuleId::kDynamicLinking, std::move(words));
  }
  return functions;
}

// Opens what the plugin needs from its own folder: its copy has no folder, so
// the dynamic linker would not find it there.
bool OpenNeighbours(const ElfFile& file, const PrivateCopy& contents,
                    const OpenOptions& options, Findings& findings) {
  if (options.in_place || options.path.empty()) return true;
  const std::string folder = FolderOfFile(options.path);
  std::vector<ElfFile::Text> all = file.needed();
  for (const std::vector<ElfFile::Text>& more :
       {file.filters(), file.auxiliaries()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  for (const ElfFile::Text& search_path : file.search_paths()) {
    for (const std::string& each : OriginFolders(search_path.value, folder)) {
      for (const ElfFile::Text& needed : all) {
        const std::string candidate = each + "/" + std::string(needed.value);
        if (IsFramework(needed.value) || access(candidate.c_str(), F_OK) != 0) {
          continue;
        }
        if (!CheckPluginLibrary(candidate, options.trust, findings))
          return false;
        if (Open(candidate) != nullptr) continue;
        Explain(
            contents, options, MissingSymbols::kRefuse,
            Format(
                "cannot open {} beside the plugin: {}; the plugin cannot run",
                needed.value, dlerror()),
            findings);
        return false;
      }
    }
  }
  return true;
}

std::string Joined(const std::vector<ElfFile::Text>& texts) {
  std::vector<std::string> values;
  for (const ElfFile::Text& text : texts) values.emplace_back(text.value);
  return values.empty() ? "nothing" : absl::StrJoin(values, " ");
}

std::string Summary(const std::string& path, const ElfFile& file) {
  return Format("{}: {} dynamic symbols, needs {}, searches {}",
                path.empty() ? "bytes" : path, file.symbols().size(),
                Joined(file.needed()), Joined(file.search_paths()));
}

// The dynamic linker's last message, with the plugin's own name in place of the
// copy's.
std::string LinkerWords(const PrivateCopy& copy, const std::string& name) {
  return absl::StrReplaceAll(dlerror(), {{copy.path(), name}});
}

// Whether the process would survive an attempt to open `file`, because the
// dynamic linker ends it over some libraries that are still to be found, and
// whether it may open all of these.
bool CheckLibraries(const ElfFile& file, const OpenOptions& options,
                    Findings& findings) {
  const std::vector<LoadedLibrary> loaded = FindLoadedLibraries();
  const bool all_loaded =
      file.filters().empty() && file.auxiliaries().empty() &&
      std::all_of(file.needed().begin(), file.needed().end(),
                  [&](const ElfFile::Text& needed) {
                    return IsFramework(needed.value) ||
                           std::any_of(loaded.begin(), loaded.end(),
                                       [&](const LoadedLibrary& each) {
                                         return each.soname == needed.value;
                                       });
                  });
  return all_loaded || CheckBeforeOpening(file, options.path, options.in_place,
                                          options.trust, findings);
}

// Whether the file has room for the name of a library of stubs. False, with
// findings, which include everything that it lacks, because stubs cannot
// help then.
bool CheckRoomForStubs(const ElfFile& file, const OpenOptions& options,
                       Findings& findings) {
  if (CheckRoomForImports(file, /*imports=*/true, findings)) return true;
  CheckLinking(file, options.path, options.in_place, findings);
  return false;
}

// The result of asking the dynamic linker to open a plugin.
struct Opened {
  void* handle = nullptr;  // null: it is not open
  // Functions for which stubs would be enough.
  std::vector<std::string> missing;
};

// Asks the dynamic linker to open the plugin, whose imports are linked. If
// there is neither a handle nor missing functions, it cannot be opened, and
// there are findings.
Opened OpenLinked(const ElfFile& file, const OpenOptions& options,
                  MissingSymbols missing_symbols, const PrivateCopy& contents,
                  Findings& findings) {
  // No code of the plugin, or of its libraries, has run yet.
  if (!CheckAllowed(contents, options.trust, findings) ||
      !OpenNeighbours(file, contents, options, findings)) {
    return {};
  }
  const std::string name = options.path.empty() ? "the plugin" : options.path;
  Opened opened;
  {
    const OpeningScope scope(name);
    opened.handle =
        Open(options.in_place ? AbsolutePath(options.path) : contents.path());
  }
  if (opened.handle == nullptr) {
    opened.missing =
        Explain(contents, options, missing_symbols,
                Format("the dynamic linker cannot open the plugin: {}",
                       LinkerWords(contents, name)),
                findings);
  }
  return opened;
}

// Finds which TF_Status the plugin uses, and its entry point.
void FindEntry(void* handle, const ElfFile& file, void* imports,
               Library& library) {
  std::optional<StatusBinding> binding =
      BindStatus(handle, file, imports, library.findings);
  if (!binding.has_value()) return;
  library.status = binding->provider;
  library.status_provider = std::move(binding->name);
  library.init = reinterpret_cast<InitFunction>(dlsym(handle, kInitName));
  if (library.init == nullptr) {
    library.findings.Add(
        RuleId::kEntryPoint,
        Format("the dynamic linker finds no exported function {}; it is "
               "not a filesystem plugin",
               kInitName));
  }
}

// Links the imports of `library`, with stubs for the functions `stubs`,
// opens it and finds its entry point. Returns the functions that are still
// missing: if none, it is open; otherwise it needs stubs for them. None at
// all, with findings, if it cannot be opened.
std::optional<std::vector<std::string>> Open(
    const ElfFile& file, const OpenOptions& options,
    const std::vector<std::string>& stubs, Library& library,
    Findings& findings) {
  library.stubs = Demangled(stubs);
  std::optional<LinkedImports> imports =
      options.in_place ? LinkedImports()
                       : LinkImports(file, MakeStubs(stubs, library.stubs),
                                     *library.contents, findings);
  if (!imports.has_value()) return std::nullopt;
  if (!library.contents->Seal()) {
    AddCopyRefusal("sealing", findings);
    return std::nullopt;
  }
  if (options.in_place && !options.trust.allow_list.empty()) {
    findings.Add(RuleId::kAllowed,
                 "an allow list cannot be used for a file that is opened in "
                 "place; the file may be changed after the check");
    return std::nullopt;
  }
  const LoadedLibraries before = LoadedLibraries::Now();
  Opened opened = OpenLinked(
      file, options,
      stubs.empty() ? options.missing_symbols : MissingSymbols::kRefuse,
      *library.contents, findings);
  if (!opened.missing.empty()) return std::move(opened.missing);
  if (opened.handle == nullptr) return std::nullopt;
  if (!GuardCalls(options.name, file, opened.handle)) {
    findings.Add(
        RuleId::kDynamicLinking,
        Format("calls of the plugin that would crash or send wrong bytes "
               "cannot be replaced: "
               "{}; it is not used",
               strerror(errno)));
    return std::nullopt;
  }
  library.imports = std::move(imports->names);
  library.imports_library = std::move(imports->contents);
  if (!library.stubs.empty()) {
    AddStubFinding(library.stubs, library.findings);
  }
  // What its static initialisers opened.
  if (CheckOpened(before, library.contents.get(), options.trust,
                  library.findings)) {
    FindEntry(opened.handle, file, imports->handle.get(), library);
  }
  library.opened = LoadedLibraries::Now();
  return std::vector<std::string>();
}

// The result of trying to open a plugin.
struct Attempt {
  std::unique_ptr<Library> library;  // null: it cannot be opened

  // The functions for which stubs would be enough. If there are any,
  // `library` is not open and has only its contents.
  std::vector<std::string> missing;
};

// Tries to open the plugin with these contents, with stubs for the
// functions `stubs`. If there are some, this is the second attempt: its
// libraries were checked in the first.
Attempt TryOpen(std::unique_ptr<PrivateCopy> contents,
                const OpenOptions& options,
                const std::vector<std::string>& stubs, Findings& findings) {
  auto library = std::make_unique<Library>();
  library->contents = std::move(contents);
  const std::optional<ElfFile> file =
      ElfFile::Parse(library->contents->bytes(), findings);
  if (!file.has_value() || !CheckEntryPoint(*file, findings) ||
      !CheckFrameworkVersions(*file, findings)) {
    return {};
  }
  if (stubs.empty() && IsDebugged(DebugTopic::kElf)) {
    LogDebug(DebugTopic::kElf, Summary(options.path, *file));
  }
  WarnOfDangers(*file, library->findings);
  std::optional<std::vector<std::string>> missing;
  if (stubs.empty() ? CheckLibraries(*file, options, findings)
                    : CheckRoomForStubs(*file, options, findings)) {
    missing = Open(*file, options, stubs, *library, findings);
  }
  if (missing.has_value()) return {std::move(library), *std::move(missing)};
  findings.AddAll(library->findings);
  return {};
}

}  // namespace

std::unique_ptr<Library> OpenLibrary(std::unique_ptr<PrivateCopy> contents,
                                     const OpenOptions& options,
                                     Findings& findings) {
  Attempt first = TryOpen(std::move(contents), options, {}, findings);
  if (first.missing.empty()) return std::move(first.library);
  // The copy is sealed, and names a library without stubs.
  contents = first.library->contents->CopyOfOrigin(findings);
  first.library = nullptr;
  if (contents == nullptr) return nullptr;
  return TryOpen(std::move(contents), options, first.missing, findings).library;
}

}  // namespace fsload
