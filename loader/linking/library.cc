#include "loader/linking/library.h"

#include <cxxabi.h>
#include <dlfcn.h>

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
#include "core/calls/plugin_call.h"
#include "loader/elf/elf_file.h"
#include "loader/libraries/host_process.h"
#include "loader/linking/guarded_calls.h"
#include "loader/linking/imports_library.h"
#include "loader/linking/linked_imports.h"
#include "loader/linking/status_binding.h"
#include "loader/linking/stubs.h"
#include "loader/linking/umbrella.h"
#include "loader/report/debug.h"
#include "loader/static_pass/link_findings.h"
#include "loader/static_pass/plugin_file.h"
#include "loader/static_pass/static_pass.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Exceptions of static initialisers pass through dlopen, which is declared not
// to throw. A compiler that sees the declaration would end the process there.
void* Dlopen(const std::string& path) {
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

// Reports why the dynamic linker cannot open a plugin with these contents:
// everything that the plugin lacks, or else `words`, the dynamic linker's
// message, which names only the first problem. Finding everything is too slow
// to do before each load. If stubs are allowed and are enough, returns the
// functions that need them instead.
std::vector<std::string> Explain(const PrivateCopy& contents,
                                 const OpenOptions& options,
                                 bool stub_missing_functions, std::string words,
                                 Findings& findings) {
  const size_t before = findings.all().size();
  std::vector<std::string> functions;
  // Read again: it now names other libraries.
  Findings ignored;
  const std::optional<ElfFile> file = ElfFile::Parse(contents.bytes(), ignored);
  if (file.has_value() && stub_missing_functions) {
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

// Returns what CheckBeforeOpening does, with findings that say so if it returns
// none; nothing if all that the plugin needs is open already.
std::optional<std::vector<FoundLibrary>> FindBrought(const ElfFile& file,
                                                     const OpenOptions& options,
                                                     Findings& findings) {
  const std::vector<LoadedLibrary> loaded = FindLoadedLibraries();
  const bool all_loaded =
      file.filters().empty() && file.auxiliaries().empty() &&
      std::all_of(file.needed().begin(), file.needed().end(),
                  [&](const ElfFile::Text& needed) {
                    return (!options.in_place && IsFramework(needed.value)) ||
                           HasSoname(loaded, needed.value);
                  });
  if (all_loaded) return std::vector<FoundLibrary>();
  return CheckBeforeOpening(file, options.path, options.in_place, options.trust,
                            findings);
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

// One attempt to open a plugin. Its steps add findings when they fail.
class Attempt {
 public:
  // `stubs` are the functions that get stubs: if there are some, this is the
  // second attempt, and `brought` is what the first one found. All arguments
  // must outlive the attempt.
  Attempt(std::unique_ptr<PrivateCopy> contents, const OpenOptions& options,
          const std::vector<std::string>& stubs,
          std::vector<FoundLibrary> brought, Findings& findings)
      : options_(options),
        stubs_(stubs),
        findings_(findings),
        brought_(std::move(brought)) {
    library_->contents = std::move(contents);
    library_->in_place = options.in_place;
  }

  // Takes the steps in their order, until one fails.
  bool Run() {
    const bool opened = ParseFile() && CheckLibraries() && LinkImports() &&
                        SealCopy() && CheckContents() && MakeUmbrella() &&
                        CallDlopen();
    if (opened) TakeOpened();
    if (opened && GuardCalls()) BindEntry();
    if (!opened && missing_.empty()) findings_.AddAll(library_->findings);
    return opened;
  }

  // After a failure: the functions for which stubs would be enough.
  const std::vector<std::string>& missing() const { return missing_; }

  std::vector<FoundLibrary> TakeBrought() { return std::move(brought_); }

  std::unique_ptr<Library> TakeLibrary() { return std::move(library_); }

 private:
  bool ParseFile() {
    file_ = ElfFile::Parse(library_->contents->bytes(), findings_);
    if (!file_.has_value() || !CheckEntryPoint(*file_, findings_) ||
        !CheckFrameworkVersions(*file_, findings_) ||
        (!options_.in_place && !CheckNamesOfLibraries(*file_, findings_))) {
      return false;
    }
    if (stubs_.empty() && IsDebugged(DebugTopic::kElf)) {
      LogDebug(DebugTopic::kElf, Summary(options_.path, *file_));
    }
    WarnOfDangers(*file_, library_->findings);
    return true;
  }

  // Checks the libraries that are still to be found; a second attempt only
  // whether the file has room for the name of a library of stubs.
  bool CheckLibraries() {
    if (!stubs_.empty()) return CheckRoomForStubs(*file_, options_, findings_);
    std::optional<std::vector<FoundLibrary>> brought =
        FindBrought(*file_, options_, findings_);
    if (!brought.has_value()) return false;
    brought_ = *std::move(brought);
    return true;
  }

  bool LinkImports() {
    if (options_.in_place) return CheckInPlace();
    library_->stubs = Demangled(stubs_);
    std::optional<LinkedImports> linked =
        fsload::LinkImports(*file_, MakeStubs(stubs_, library_->stubs),
                            *library_->contents, findings_);
    if (!linked.has_value()) return false;
    imports_ = *std::move(linked);
    return true;
  }

  bool CheckInPlace() {
    if (options_.trust.allow_list.empty()) return true;
    findings_.Add(RuleId::kAllowed,
                  "an allow list cannot be used for a file that is opened in "
                  "place; the file may be changed after the check");
    return false;
  }

  bool SealCopy() {
    if (library_->contents->Seal()) return true;
    AddCopyRefusal("sealing", findings_);
    return false;
  }

  // No code of the plugin, or of its libraries, has run yet.
  bool CheckContents() {
    return CheckAllowed(*library_->contents, options_.trust, findings_);
  }

  bool MakeUmbrella() {
    if (brought_.empty()) return true;
    library_->umbrella =
        fsload::MakeUmbrella(*library_->contents, brought_, findings_);
    return library_->umbrella != nullptr;
  }

  bool CallDlopen() {
    const PrivateCopy& contents = *library_->contents;
    const std::string name =
        options_.path.empty() ? "the plugin" : options_.path;
    before_ = LoadedLibraries::Now();
    try {
      const OpeningScope scope(name);
      // Which opens the copy.
      const bool is_open = library_->umbrella == nullptr ||
                           Dlopen(library_->umbrella->path()) != nullptr;
      if (is_open) {
        handle_ = Dlopen(options_.in_place ? AbsolutePath(options_.path)
                                           : contents.path());
      }
    } catch (const abi::__forced_unwind&) {
      KeepMapped();
      throw;
    } catch (...) {
      KeepMapped();
      // The dynamic linker's lock stays with this thread.
      findings_.Add(RuleId::kThrowsNothing,
                    Format("its static initialisers threw {}; a host that does "
                           "not catch it dies, and in one that does, other "
                           "threads wait for ever to open a library",
                           DescribeCurrentException()));
      return false;
    }
    if (handle_ != nullptr) return true;
    missing_ = Explain(contents, options_,
                       stubs_.empty() && options_.stub_missing_functions,
                       Format("the dynamic linker cannot open the plugin: {}",
                              LinkerWords(contents, name)),
                       findings_);
    return false;
  }

  // After an exception: what was opened stays mapped, and another file must not
  // get the name of a copy.
  void KeepMapped() {
    static_cast<void>(library_->contents.release());
    static_cast<void>(library_->umbrella.release());
    static_cast<void>(imports_.contents.release());
  }

  bool GuardCalls() {
    if (fsload::GuardCalls(options_.name, *file_, handle_)) return true;
    library_->findings.Add(
        RuleId::kDynamicLinking,
        Format("calls of the plugin that would crash or send wrong bytes "
               "cannot be replaced: "
               "{}; it is not used",
               strerror(errno)));
    return false;
  }

  void TakeOpened() {
    Library& library = *library_;
    library.imports = std::move(imports_.names);
    library.imports_library = std::move(imports_.contents);
    if (!library.stubs.empty()) {
      AddStubFinding(library.stubs, library.findings);
    }
    library.looked = LoadedLibraries::Now();
    library.opened = FindOpened(before_, library.contents.get());
  }

  // Finds which TF_Status the plugin uses, and its entry point.
  void BindEntry() {
    Library& library = *library_;
    std::optional<StatusBinding> binding =
        BindStatus(handle_, *file_, imports_.handle.get(), library.findings);
    if (!binding.has_value()) return;
    library.status = binding->provider;
    library.status_provider = std::move(binding->name);
    library.init = reinterpret_cast<InitFunction>(dlsym(handle_, kInitName));
    if (library.init == nullptr) {
      library.findings.Add(
          RuleId::kEntryPoint,
          Format("the dynamic linker finds no exported function {}; it is "
                 "not a filesystem plugin",
                 kInitName));
    }
  }

  const OpenOptions& options_;
  const std::vector<std::string>& stubs_;
  Findings& findings_;
  std::unique_ptr<Library> library_ = std::make_unique<Library>();
  std::optional<ElfFile> file_;
  std::vector<FoundLibrary> brought_;
  LinkedImports imports_;
  LoadedLibraries before_;  // what the process had loaded
  void* handle_ = nullptr;
  std::vector<std::string> missing_;
};

}  // namespace

std::unique_ptr<Library> OpenLibrary(std::unique_ptr<PrivateCopy> contents,
                                     const OpenOptions& options,
                                     Findings& findings) {
  const std::vector<std::string> no_stubs;
  Attempt first(std::move(contents), options, no_stubs, {}, findings);
  if (first.Run()) return first.TakeLibrary();
  if (first.missing().empty()) return nullptr;
  // The copy is sealed, and names a library without stubs.
  contents = first.TakeLibrary()->contents->CopyOfOrigin(findings);
  if (contents == nullptr) return nullptr;
  Attempt second(std::move(contents), options, first.missing(),
                 first.TakeBrought(), findings);
  return second.Run() ? second.TakeLibrary() : nullptr;
}

}  // namespace fsload
