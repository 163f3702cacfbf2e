#include "loader/static_pass/plugin_libraries.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/system/descriptor.h"
#include "loader/libraries/library_search.h"
#include "loader/trust/file_owners.h"
#include "loader/trust/private_copy.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// As named where /lib is a link to /usr/lib.
constexpr std::string_view kSystemFolders[] = {
    "/lib/",     "/lib32/",     "/lib64/",     "/libx32/",
    "/usr/lib/", "/usr/lib32/", "/usr/lib64/", "/usr/libx32/"};

// Checks the file that is open as `fd`; false, with findings, if it must not be
// loaded.
bool CheckFile(int fd, const std::string& path, const Trust& trust,
               Findings& findings) {
  Findings found;
  CheckOwners(fd, path, found);
  CheckFileAllowed(fd, path, trust, found);
  findings.AddAll(found);
  return found.all().empty();
}

// Identifies a file: its device, and its number, which is unique only there.
using FileId = std::pair<dev_t, ino_t>;

// A part of a file that this process has mapped.
struct Mapping {
  uintptr_t begin;
  bool code;
  FileId file;
  std::string path;
};

// From lines like "7f00a000-7f00b000 r-xp 00001000 08:01 1234  /usr/lib/x.so".
std::vector<Mapping> FindMappings() {
  constexpr int kHexadecimal = 16;
  std::vector<Mapping> mappings;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::string range;
    std::string rights;
    std::string offset;
    std::string device;
    Mapping mapping = {};
    words >> range >> rights >> offset >> device >> mapping.file.second >>
        std::ws;
    std::getline(words, mapping.path);
    if (mapping.path.empty() || mapping.path[0] != '/') continue;
    mapping.begin = std::strtoull(range.c_str(), nullptr, kHexadecimal);
    mapping.code = rights.size() > 2 && rights[2] == 'x';
    char* minor = nullptr;
    const auto major = static_cast<unsigned>(
        std::strtoul(device.c_str(), &minor, kHexadecimal));
    if (*minor == ':') ++minor;
    mapping.file.first = makedev(major, static_cast<unsigned>(std::strtoul(
                                            minor, nullptr, kHexadecimal)));
    mappings.push_back(std::move(mapping));
  }
  return mappings;
}

// Returns whether the dynamic linker has mapped it, rather than a program that
// compiles at run time, say.
bool IsOfLibrary(const Mapping& mapping) {
  Dl_info library;
  return dladdr(reinterpret_cast<void*>(mapping.begin), &library) != 0;
}

// The file's identity in mappings: some file systems (btrfs, overlayfs) show a
// different device there than fstat does.
FileId IdInMappings(int fd) {
  struct stat status;
  if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return {};
  const auto size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void* const page = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  FileId id = {status.st_dev, status.st_ino};
  if (page == MAP_FAILED) return id;
  for (const Mapping& mapping : FindMappings()) {
    if (mapping.begin == reinterpret_cast<uintptr_t>(page)) id = mapping.file;
  }
  munmap(page, size);
  return id;
}

// Returns where the dynamic linker has mapped the beginning of a library.
uintptr_t BeginOf(const dl_phdr_info& library) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  for (int i = 0; i < library.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = library.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    return library.dlpi_addr + segment.p_vaddr / page * page;
  }
  return 0;
}

// Returns the files of the libraries that were loaded `before` and still are.
// Their paths may lead to other files by now.
std::set<FileId> FilesOf(const LoadedLibraries& before,
                         const LoadedLibraries& now,
                         const std::vector<Mapping>& mappings) {
  std::set<uintptr_t> begins;
  for (const auto& library : before.all) {
    if (now.all.count(library) > 0) begins.insert(library.first);
  }
  std::set<FileId> files;
  for (const Mapping& mapping : mappings) {
    if (begins.count(mapping.begin) > 0) files.insert(mapping.file);
  }
  return files;
}

// Opens the library's file, if it still has its name.
Descriptor OpenMapped(const OpenedLibrary& library) {
  Descriptor file = OpenToRead(library.path);
  if (file.ok() && IdInMappings(file.get()) == library.file) return file;
  return Descriptor();
}

}  // namespace

bool IsSystemLibrary(std::string_view path) {
  return std::any_of(std::begin(kSystemFolders), std::end(kSystemFolders),
                     [path](std::string_view folder) {
                       return path.substr(0, folder.size()) == folder;
                     });
}

bool CheckPluginLibrary(const std::string& path, const Trust& trust,
                        Findings& findings) {
  const Descriptor file = OpenToRead(path);
  std::error_code error(errno, std::generic_category());
  const std::string whole =
      file.ok() ? std::filesystem::canonical(path, error).string() : "";
  if (whole.empty()) {
    findings.AddRefusal(
        RuleId::kDynamicLinking, error.value(),
        Format("cannot open the library '{}': {}; the plugin cannot run", path,
               error.message()));
    return false;
  }
  // Allow lists do not name system libraries.
  return CheckFile(file.get(), path, IsSystemLibrary(whole) ? Trust() : trust,
                   findings);
}

bool CheckPluginLibraries(const Libraries& libraries, bool in_place,
                          const Trust& trust, Findings& findings) {
  bool good = true;
  for (size_t i = 1; i < libraries.found.size(); ++i) {
    const NeededLibrary& library = *libraries.found[i];
    if (library.loaded) continue;
    good &= CheckPluginLibrary(library.path, trust, findings);
  }
  if (!libraries.complete) return good;  // it is refused for that
  // One name that is not there is like another in its folder, whose path may be
  // long.
  std::set<std::pair<bool, std::string_view>> looked;
  for (const PassedPlace& place : libraries.passed) {
    const bool is_own =
        place.wanted_by == 0 && libraries.IsBesideObject(place.path);
    if (is_own && !in_place) continue;
    struct stat file;
    const bool there = lstat(place.path.c_str(), &file) == 0;
    const std::string_view path = place.path;
    const size_t end = there ? path.size() : path.rfind('/') + 1;
    if (!looked.emplace(there, path.substr(0, end)).second) continue;
    const std::optional<OpenFolder> folder = FindOpenFolder(place.path);
    if (!folder.has_value()) continue;
    findings.Add(
        RuleId::kFolderNotWorldWritable,
        Format("'{}' is world-writable (mode {:04o}), so anyone can add '{}', "
               "which the plugin would open; link it without that directory",
               folder->path, folder->mode, place.path));
    return false;
  }
  return good;
}

LoadedLibraries LoadedLibraries::Now() {
  LoadedLibraries now;
  dl_iterate_phdr(
      [](dl_phdr_info* library, size_t, void* result) {
        auto& now = *static_cast<LoadedLibraries*>(result);
        now.count = library->dlpi_adds;
        now.all.emplace(BeginOf(*library), library->dlpi_name);
        return 0;
      },
      &now);
  return now;
}

std::vector<OpenedLibrary> FindOpened(const LoadedLibraries& before,
                                      const PrivateCopy* own) {
  // Most plugins open nothing.
  const LoadedLibraries now = LoadedLibraries::Now();
  if (now.count - before.count <= (own != nullptr ? 1 : 0)) return {};
  std::vector<Mapping> mappings = FindMappings();
  std::set<FileId> known = FilesOf(before, now, mappings);
  if (own != nullptr) {
    const Descriptor file = OpenToRead(own->path());
    if (file.ok()) known.insert(IdInMappings(file.get()));
  }
  std::vector<OpenedLibrary> libraries;
  for (Mapping& mapping : mappings) {
    if (!mapping.code || IsSystemLibrary(mapping.path) ||
        !IsOfLibrary(mapping) || !known.insert(mapping.file).second) {
      continue;
    }
    libraries.push_back({mapping.file, std::move(mapping.path)});
  }
  return libraries;
}

bool CheckOpened(const std::vector<OpenedLibrary>& libraries,
                 const Trust& trust, Findings& findings) {
  bool good = true;
  for (const OpenedLibrary& library : libraries) {
    const Descriptor file = OpenMapped(library);
    if (file.ok()) {
      good &= CheckFile(file.get(), library.path, trust, findings);
    } else if (!trust.allow_list.empty()) {
      findings.Add(RuleId::kAllowed,
                   Format("'{}': the plugin opened this library, which is "
                          "no longer there to be checked against '{}'; the "
                          "plugin is not used",
                          library.path, trust.allow_list));
      good = false;
    }
  }
  return good;
}

}  // namespace fsload
