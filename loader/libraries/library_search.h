// All libraries that a shared object needs, found the way the dynamic linker
// finds them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loader/elf/elf_file.h"
#include "loader/elf/file_bytes.h"
#include "loader/elf/symbol_table.h"

namespace fsload {

// One library among those needed, or the object that needs them.
struct NeededLibrary {
  std::string path;
  std::vector<std::string> names;  // under which it is known
  bool loaded = false;             // this process has it already
  bool is_brought = false;         // found where the object, or a library, says
  std::optional<size_t> wanted_by;  // index in Libraries::found

  const ElfFile* file = nullptr;
  std::unique_ptr<SymbolTable> symbols;

  // The bytes behind `file`; null for an object owned by somebody else.
  std::unique_ptr<FileBytes> bytes;
  std::unique_ptr<ElfFile> own_file;

  bool HasName(std::string_view name) const {
    return std::find(names.begin(), names.end(), name) != names.end();
  }
};

struct MissingLibrary {
  std::string name;
  size_t wanted_by;  // index in Libraries::found
  std::string why;   // what was found instead, "" if nothing
  // The dynamic linker would wait for it forever (a pipe), or may crash (a file
  // that is cut off or not well-formed).
  bool is_fatal = false;
};

// Where a DT_RPATH or DT_RUNPATH says that a library may be, and none is: the
// dynamic linker looks there, too.
struct PassedPlace {
  std::string path;
  size_t wanted_by;  // index in Libraries::found
};

struct Libraries {
  // Returns whether `path` begins with the folder of the object itself, as what
  // its own $ORIGIN leads to does.
  bool IsBesideObject(const std::string& path) const {
    return !folder.empty() && path.compare(0, folder.size(), folder) == 0;
  }

  std::string folder;  // of the object itself, with a slash; "" if unknown
  // Breadth first, the object itself first: the order of symbol lookup.
  std::vector<std::unique_ptr<NeededLibrary>> found;
  std::vector<MissingLibrary> missing;
  std::vector<PassedPlace> passed;
  // Of everything that this process has loaded.
  std::vector<std::string> loaded_names;
  bool complete = true;  // false: the search took too long and was given up
};

struct SearchOptions {
  // Whether libraries count that this process has loaded and its program knows.
  bool in_process = true;

  // Returns whether the library `wanted_by` (0: the object itself) does not
  // need this one: fsload provides another.
  bool (*replaced)(std::string_view name, size_t wanted_by) = nullptr;

  std::string cache = "/etc/ld.so.cache";
};

// Returns what `file`, at `path` ("" if it is not a file), needs. `file` must
// outlive the result. Runs no code of any library.
Libraries FindLibraries(const ElfFile& file, const std::string& path,
                        const SearchOptions& options);

}  // namespace fsload
