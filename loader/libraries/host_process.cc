#include "loader/libraries/host_process.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fsload {
namespace {

// "/lib", "/usr/lib64", "/lib/x86_64-linux-gnu", but nothing deeper.
bool IsSystemFolder(std::string_view folder) {
  for (const std::string_view root : {"/usr/lib", "/lib"}) {
    if (folder.substr(0, root.size()) != root) continue;
    const std::string_view rest = folder.substr(root.size());
    return rest.empty() || rest == "64" || rest == "32" ||
           (rest.front() == '/' &&
            rest.find('/', 1) == std::string_view::npos &&
            rest.find("-linux-") != std::string_view::npos);
  }
  return false;
}

std::vector<std::string> AllSearchFolders() {
  // The C library has no search path of its own: what remains applies to
  // everybody.
  void* const library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return {};
  std::vector<std::string> folders;
  Dl_serinfo size;
  if (dlinfo(library, RTLD_DI_SERINFOSIZE, &size) == 0) {
    const std::unique_ptr<char[]> memory(new char[size.dls_size]);
    auto* const info = reinterpret_cast<Dl_serinfo*>(memory.get());
    if (dlinfo(library, RTLD_DI_SERINFOSIZE, info) == 0 &&
        dlinfo(library, RTLD_DI_SERINFO, info) == 0) {
      const Dl_serpath* const paths = info->dls_serpath;
      for (unsigned i = 0; i < info->dls_cnt; ++i) {
        folders.emplace_back(paths[i].dls_name);
      }
    }
  }
  dlclose(library);
  return folders;
}

// The SONAME of a loaded library, "" if none.
std::string SonameOf(const dl_phdr_info& library) {
  for (int i = 0; i < library.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = library.dlpi_phdr[i];
    if (segment.p_type != PT_DYNAMIC) continue;
    const char* strings = nullptr;
    ElfW(Xword) soname = 0;
    const auto* entry =
        reinterpret_cast<const ElfW(Dyn)*>(library.dlpi_addr + segment.p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_SONAME) soname = entry->d_un.d_val;
      if (entry->d_tag != DT_STRTAB) continue;
      // The dynamic linker has relocated this to an address, except where the
      // section is read-only.
      const ElfW(Addr) address = entry->d_un.d_ptr;
      strings = reinterpret_cast<const char*>(
          address < library.dlpi_addr ? library.dlpi_addr + address : address);
    }
    if (soname != 0 && strings != nullptr) return strings + soname;
  }
  return "";
}

}  // namespace

SearchFolders FindSearchFolders() {
  std::vector<std::string> all = AllSearchFolders();
  // The system's folders come last, each once.
  auto first = all.end();
  while (first != all.begin() && IsSystemFolder(*(first - 1)) &&
         std::find(first, all.end(), *(first - 1)) == all.end()) {
    --first;
  }
  SearchFolders folders;
  folders.environment.assign(all.begin(), first);
  folders.system.assign(first, all.end());
  return folders;
}

std::vector<LoadedLibrary> FindLoadedLibraries() {
  std::vector<LoadedLibrary> libraries;
  dl_iterate_phdr(
      [](dl_phdr_info* library, size_t, void* result) {
        static_cast<std::vector<LoadedLibrary>*>(result)->push_back(
            {library->dlpi_name, SonameOf(*library)});
        return 0;
      },
      &libraries);
  return libraries;
}

bool HasSoname(const std::vector<LoadedLibrary>& loaded,
               std::string_view soname) {
  return std::any_of(
      loaded.begin(), loaded.end(),
      [&](const LoadedLibrary& each) { return each.soname == soname; });
}

bool IsGlobalSymbol(const std::string& name, const std::string& version) {
  if (!version.empty()) {
    return dlvsym(RTLD_DEFAULT, name.c_str(), version.c_str()) != nullptr;
  }
  // A symbol may exist and have the address 0.
  dlerror();
  return dlsym(RTLD_DEFAULT, name.c_str()) != nullptr || dlerror() == nullptr;
}

}  // namespace fsload
