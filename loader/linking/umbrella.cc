#include "loader/linking/umbrella.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loader/elf/elf_file.h"
#include "loader/libraries/host_process.h"
#include "loader/libraries/search_path.h"
#include "loader/linking/imports_library.h"

namespace fsload {
namespace {

// What an umbrella needs, and where that is.
class Needs {
 public:
  Needs(const std::vector<FoundLibrary>& found,
        const std::vector<LoadedLibrary>& loaded)
      : loaded_(loaded),
        uses_folder_(std::any_of(
            found.begin(), found.end(), [](const FoundLibrary& each) {
              return each.is_brought && !each.is_known_by_name;
            })) {}

  // Adds a name, or a path.
  void Add(const std::string& library) { libraries_.push_back(library); }

  // Adds one that is brought by its path, which was judged, unless it would not
  // be known by its name. Of several folders, those of LD_LIBRARY_PATH among
  // them, another one could have a library of that name.
  void Add(const FoundLibrary& library) {
    // By name, the dynamic linker takes the one that is loaded, whose file may
    // be gone, or the best build for this processor.
    if (!library.is_brought) {
      const std::string& name = library.names.front();
      const bool is_found_by_name = !uses_folder_ || HasSoname(loaded_, name);
      return Add(is_found_by_name ? name : library.path);
    }
    const std::string folder = FolderOfFile(library.path);
    const bool is_only = (folder_.empty() || folder == folder_) &&
                         folder.find_first_of(":$") == std::string::npos &&
                         !has_other_folders_;
    if (library.is_known_by_name || !is_only) return Add(library.path);
    Add(library.names.front());
    folder_ = folder;
  }

  std::string Build() const {
    return BuildUmbrellaLibrary(libraries_, folder_);
  }

 private:
  const std::vector<LoadedLibrary>& loaded_;
  const bool uses_folder_;  // perhaps: then names are searched there, too
  const bool has_other_folders_ = !FindSearchFolders().environment.empty();
  std::vector<std::string> libraries_;
  std::string folder_;
};

}  // namespace

std::unique_ptr<PrivateCopy> MakeUmbrella(
    const PrivateCopy& plugin, const std::vector<FoundLibrary>& found,
    Findings& findings) {
  const std::vector<LoadedLibrary> loaded = FindLoadedLibraries();
  Needs needs(found, loaded);
  needs.Add(plugin.path());
  // It names the library of imports, too.
  const std::optional<ElfFile> copy = ElfFile::Parse(plugin.bytes(), findings);
  if (!copy.has_value()) return nullptr;
  for (const ElfFile::Text& needed : copy->needed()) {
    const auto brought =
        std::find_if(found.begin(), found.end(), [&](const FoundLibrary& each) {
          return std::find(each.names.begin(), each.names.end(),
                           needed.value) != each.names.end();
        });
    if (brought != found.end()) {
      needs.Add(*brought);
    } else if (HasSoname(loaded, needed.value)) {
      needs.Add(std::string(needed.value));
    }
  }
  // Those that libraries need, in the order of symbol lookup; the dynamic
  // linker ignores the others here.
  for (const FoundLibrary& each : found) needs.Add(each);
  std::unique_ptr<PrivateCopy> umbrella =
      PrivateCopy::OfBytes("fsload.umbrella", needs.Build(), findings);
  if (umbrella == nullptr || umbrella->Seal()) return umbrella;
  AddCopyRefusal("sealing", findings);
  return nullptr;
}

}  // namespace fsload
