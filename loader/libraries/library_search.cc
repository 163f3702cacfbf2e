#include "loader/libraries/library_search.h"

#include <elf.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "loader/elf/processor.h"
#include "loader/libraries/host_process.h"
#include "loader/libraries/linker_cache.h"
#include "loader/libraries/search_path.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// More than any real plugin needs; stops hostile lists from taking minutes.
constexpr size_t kMaxLibraries = 512;
constexpr size_t kMaxOpens = 1 << 15;
constexpr size_t kMaxSymbols = 1 << 24;
constexpr size_t kMaxNameBytes = size_t{1} << 28;  // of symbols and versions

bool IsElf(FileBytes& bytes) {
  bytes.Fetch(0, SELFMAG);
  return bytes.bytes().size() >= SELFMAG &&
         std::memcmp(bytes.bytes().data(), ELFMAG, SELFMAG) == 0;
}

// One search, library by library.
class Search {
 public:
  Search(const SearchOptions& options, Libraries& libraries)
      : options_(options),
        libraries_(libraries),
        folders_(FindSearchFolders()),
        cache_(LinkerCache::OfFile(options.cache)) {
    if (options.in_process) loaded_ = FindLoadedLibraries();
    for (const LoadedLibrary& each : loaded_) {
      libraries.loaded_names.push_back(each.soname);
    }
    places_.library = LibraryFolder();
    if (const auto* platform =
            reinterpret_cast<const char*>(getauxval(AT_PLATFORM))) {
      places_.platform = platform;
    }
  }

  // Everything that the libraries found so far need, and what that needs.
  void Run() {
    const auto& found = libraries_.found;
    for (size_t i = 0; i < found.size() && libraries_.complete; ++i) {
      FindAllOf(*found[i]->file, i);
    }
  }

 private:
  using Place = std::unique_ptr<NeededLibrary>;

  // Where a library is: loaded already, in a folder of the system or of the
  // environment, or where the plugin says.
  enum class From { kProcess, kSystem, kPlugin };

  // Finds what `file`, the library `i`, needs.
  void FindAllOf(const ElfFile& file, size_t i) {
    for (const ElfFile::Text& needed : file.filters()) {
      Find(std::string(needed.value), i);
    }
    for (const ElfFile::Text& needed : file.auxiliaries()) {
      const size_t before = libraries_.missing.size();
      Find(std::string(needed.value), i);
      // A missing one is skipped.
      if (libraries_.missing.size() > before &&
          !libraries_.missing.back().is_fatal) {
        libraries_.missing.pop_back();
      }
    }
    for (const ElfFile::Text& needed : file.needed()) {
      if (options_.replaced != nullptr && options_.replaced(needed.value, i)) {
        libraries_.loaded_names.emplace_back(needed.value);
      } else {
        Find(std::string(needed.value), i);
      }
    }
  }

  bool IsFull() const {
    return libraries_.found.size() + libraries_.missing.size() >
               kMaxLibraries ||
           opens_ > kMaxOpens || symbols_ > kMaxSymbols ||
           name_bytes_ > kMaxNameBytes;
  }

  // The value of $LIB: the system's first folder, as an absolute path.
  std::string LibraryFolder() const {
    return folders_.system.empty() ? "lib64" : folders_.system[0].substr(1);
  }

  bool IsKnown(const std::string& name) const {
    const auto& missing = libraries_.missing;
    return names_.count(name) != 0 ||
           std::any_of(
               missing.begin(), missing.end(),
               [&](const MissingLibrary& each) { return each.name == name; });
  }

  void Find(const std::string& name, size_t wanted_by) {
    if (IsFull()) libraries_.complete = false;
    if (!libraries_.complete || IsKnown(name)) return;
    bool is_loaded = false;  // then the dynamic linker reads no file
    for (const LoadedLibrary& each : loaded_) {
      if (each.soname != name && each.path != name) continue;
      is_loaded = true;
      if (Open(each.path, name, wanted_by, From::kProcess)) return;
    }
    why_.clear();
    skipped_.clear();
    is_fatal_ = false;
    const bool found = name.find('/') != std::string::npos
                           ? Open(Expand(name, PlacesOf(wanted_by)), name,
                                  wanted_by, From::kPlugin)
                           : FindByName(name, wanted_by);
    if (!found || !why_.empty()) {
      libraries_.missing.push_back({name, wanted_by,
                                    why_.empty() ? skipped_ : why_,
                                    is_fatal_ && !is_loaded});
    }
  }

  // The order of ld.so(8).
  bool FindByName(const std::string& name, size_t wanted_by) {
    const NeededLibrary& wants = *libraries_.found[wanted_by];
    const auto runpath = wants.file->StringOf(DT_RUNPATH);
    if (!runpath.has_value() && FindByRpaths(name, wanted_by)) return true;
    if (FindIn(folders_.environment, name, wanted_by, From::kSystem)) {
      return true;
    }
    if (runpath.has_value() && FindIn(FoldersIn(*runpath, wanted_by), name,
                                      wanted_by, From::kPlugin)) {
      return true;
    }
    const bool no_defaults =
        (wants.file->image().Value(DT_FLAGS_1).value_or(0) & DF_1_NODEFLIB) !=
        0;
    if (no_defaults) return false;
    const std::optional<std::string> cached = cache_.Find(name);
    if (cached.has_value() &&
        TryFolderOf(*cached, name, wanted_by, From::kSystem)) {
      return true;
    }
    return FindIn(folders_.system, name, wanted_by, From::kSystem);
  }

  // By the RPATH of the library that needs it, of the one that needs that, and
  // so on; the RPATH of one that also has a RUNPATH is ignored.
  bool FindByRpaths(const std::string& name, size_t wanted_by) {
    for (std::optional<size_t> each = wanted_by; each.has_value();
         each = libraries_.found[*each]->wanted_by) {
      const ElfFile& file = *libraries_.found[*each]->file;
      const auto rpath = file.StringOf(DT_RPATH);
      if (!rpath.has_value() || file.StringOf(DT_RUNPATH).has_value()) continue;
      if (FindIn(FoldersIn(*rpath, *each), name, wanted_by, From::kPlugin)) {
        return true;
      }
    }
    return false;
  }

  // The folders of a list of the library `i`.
  std::vector<std::string> FoldersIn(std::string_view list, size_t i) {
    std::vector<std::string> folders = FoldersOf(list, PlacesOf(i));
    if (folders.size() > kMaxFolders) libraries_.complete = false;
    return folders;
  }

  bool FindIn(const std::vector<std::string>& folders, const std::string& name,
              size_t wanted_by, From from) {
    return std::any_of(
        folders.begin(), folders.end(), [&](const std::string& folder) {
          std::string path = folder + "/" + name;
          if (TryFolderOf(path, name, wanted_by, from)) return true;
          // Nobody can add a longer one.
          if (from == From::kPlugin && path.size() < PATH_MAX) {
            libraries_.passed.push_back({std::move(path), wanted_by});
          }
          return false;
        });
  }

  // True if the search is over: the dynamic linker does not look past a damaged
  // file.
  bool TryFolderOf(const std::string& path, const std::string& name,
                   size_t wanted_by, From from) {
    if (opens_ > kMaxOpens) libraries_.complete = false;
    return !libraries_.complete || Open(path, name, wanted_by, from) ||
           !why_.empty();
  }

  const ElfImage& ImageOf(size_t library) const {
    return libraries_.found[library]->file->image();
  }

  DynamicStrings PlacesOf(size_t library) const {
    DynamicStrings places = places_;
    places.origin = FolderOfFile(libraries_.found[library]->path);
    return places;
  }

  // Whether `path` is the library `name`; sets `why_` if it should be but is
  // not.
  bool Open(const std::string& path, const std::string& name, size_t wanted_by,
            From from) {
    ++opens_;
    std::unique_ptr<FileBytes> bytes = FileBytes::Open(path);
    if (bytes == nullptr) {
      struct stat status;
      if (stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode)) {
        why_ = path + ", which is a pipe";
        is_fatal_ = true;
      }
      return false;
    }
    for (const Place& each : libraries_.found) {
      if (each->bytes == nullptr ||
          each->bytes->identity() != bytes->identity()) {
        continue;
      }
      each->names.push_back(name);
      names_.insert(name);
      return true;
    }
    if (!IsElf(*bytes)) {
      why_ = path + ", which is not an ELF file";
      return false;
    }
    Findings findings;
    std::optional<ElfFile> file = ElfFile::Parse(
        bytes->bytes(), findings, bytes.get(),
        ImageOf(0).is_foreign() ? Machines::kKnown : Machines::kThis);
    // For a plugin of another processor, the libraries of this system take the
    // place of those that its own system has.
    if (file.has_value() && from == From::kPlugin &&
        &file->image().machine() != &ImageOf(wanted_by).machine()) {
      skipped_ =
          Format("{}, which is for {}", path, file->image().machine().name);
      return false;
    }
    if (!file.has_value()) {
      // Skips one for another machine; if it is for the plugin's, a later
      // finding says what is wrong with it.
      const RuleId first = findings.all().front().rule;
      const Finding& last = findings.all().back();
      Elf64_Ehdr header = {};
      std::memcpy(&header, bytes->bytes().data(),
                  std::min(bytes->bytes().size(), sizeof(header)));
      const std::string processor = ProcessorOf(header);
      const std::string found =
          IsAboutProcessor(first) &&
                  processor != ImageOf(wanted_by).machine().name
              ? Format("{}, which is for {}", path, processor)
              : Format("{} ({})", path, last.message);
      // The dynamic linker looks further after these, but stops at a file of
      // another byte order, version or system.
      const unsigned char system = header.e_ident[EI_OSABI];
      const bool skipped =
          last.rule == RuleId::kElfClass ||
          (last.rule == RuleId::kMachine &&
           header.e_ident[EI_VERSION] == EV_CURRENT &&
           (system == ELFOSABI_SYSV || system == ELFOSABI_GNU));
      (skipped ? skipped_ : why_) = found;
      is_fatal_ =
          last.rule == RuleId::kWhole || last.rule == RuleId::kWellFormed;
      return false;
    }
    auto library = std::make_unique<NeededLibrary>();
    library->path = path;
    library->names = {name, path};
    library->loaded = from == From::kProcess;
    library->is_brought = from == From::kPlugin;
    library->wanted_by = wanted_by;
    library->bytes = std::move(bytes);
    library->own_file = std::make_unique<ElfFile>(*std::move(file));
    library->file = library->own_file.get();
    Add(std::move(library));
    return true;
  }

 public:
  void Add(Place library) {
    if (const auto soname = library->file->StringOf(DT_SONAME)) {
      library->names.emplace_back(*soname);
    }
    names_.insert(library->names.begin(), library->names.end());
    library->symbols = std::make_unique<SymbolTable>(*library->file);
    symbols_ += library->file->symbols().size();
    for (const ElfFile::Symbol& symbol : library->file->symbols()) {
      name_bytes_ += symbol.name.value.size();
    }
    for (const ElfVersions::Need& need : library->file->versions().needs()) {
      name_bytes_ += need.library.size() + need.version.size();
    }
    if (IsFull()) libraries_.complete = false;
    libraries_.found.push_back(std::move(library));
  }

 private:
  const SearchOptions& options_;
  Libraries& libraries_;
  const SearchFolders folders_;
  const LinkerCache cache_;
  std::vector<LoadedLibrary> loaded_;
  DynamicStrings places_;
  std::unordered_set<std::string> names_;  // of all that were found
  size_t opens_ = 0;
  size_t symbols_ = 0;
  size_t name_bytes_ = 0;
  bool is_fatal_ = false;
  std::string why_;      // the library exists but is unusable
  std::string skipped_;  // another library of its name, for another processor
};

}  // namespace

Libraries FindLibraries(const ElfFile& file, const std::string& path,
                        const SearchOptions& options) {
  Libraries libraries;
  libraries.folder = FolderOfFile(path);
  if (!libraries.folder.empty()) libraries.folder += '/';
  Search search(options, libraries);
  auto root = std::make_unique<NeededLibrary>();
  root->path = path;
  root->file = &file;
  search.Add(std::move(root));
  search.Run();
  return libraries;
}

}  // namespace fsload
