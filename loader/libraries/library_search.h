// All libraries that a shared object needs, found as the dynamic linker finds
// them.
#ifndef FSLOAD_LOADER_LIBRARIES_LIBRARY_SEARCH_H_
#define FSLOAD_LOADER_LIBRARIES_LIBRARY_SEARCH_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loader/elf/elf_file.h"
#include "loader/elf/file_bytes.h"
#include "loader/elf/symbol_table.h"

namespace fsload {

// One library among those needed, or the object that needs them.
struct NeededLibrary {
  std::string path;
  std::vector<std::string> names;   // by which it is known
  bool loaded = false;              // this process has it already
  std::optional<size_t> wanted_by;  // place in Libraries::found

  const ElfFile* file = nullptr;
  std::unique_ptr<SymbolTable> symbols;

  // What `file` views; null for an object that is somebody else's.
  std::unique_ptr<FileBytes> bytes;
  std::unique_ptr<ElfFile> own_file;
};

struct MissingLibrary {
  std::string name;
  size_t wanted_by;  // place in Libraries::found
  std::string why;   // what was found instead, "" for nothing
  bool waits =
      false;  // a pipe, on which the dynamic linker would wait for ever
};

struct Libraries {
  // Breadth first, the object itself in front: the order in which symbols are
  // looked up.
  std::vector<std::unique_ptr<NeededLibrary>> found;
  std::vector<MissingLibrary> missing;
  std::vector<std::string> loaded_names;  // of all that this process has
  bool complete = true;  // false: the search was given up, it took too long
};

struct SearchOptions {
  // Where libraries count that this process has, and that its program knows of.
  bool in_process = true;

  // The object does without this library: fsload gives it another.
  bool (*replaced)(std::string_view name) = nullptr;

  std::string cache = "/etc/ld.so.cache";
};

// What `file`, which is at `path` ("" for one that is no file), needs. `file`
// must outlive the result. Runs no code of any library.
Libraries FindLibraries(const ElfFile& file, const std::string& path,
                        const SearchOptions& options);

}  // namespace fsload

#endif  // FSLOAD_LOADER_LIBRARIES_LIBRARY_SEARCH_H_
