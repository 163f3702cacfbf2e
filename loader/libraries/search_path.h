// DT_RPATH and DT_RUNPATH: lists of folders with names that the dynamic linker
// expands.
#ifndef FSLOAD_LOADER_LIBRARIES_SEARCH_PATH_H_
#define FSLOAD_LOADER_LIBRARIES_SEARCH_PATH_H_

#include <string>
#include <string_view>
#include <vector>

namespace fsload {

// The values of $ORIGIN, $LIB and $PLATFORM.
struct DynamicStrings {
  std::string origin;
  std::string library;
  std::string platform;
};

// Returns `text` with those names, with or without braces, expanded.
std::string Expand(std::string_view text, const DynamicStrings& strings);

// Returns the folders of a list separated by colons, expanded; an empty one is
// ".". At most as many as a real list has.
std::vector<std::string> FoldersOf(std::string_view list,
                                   const DynamicStrings& strings);

// Returns the absolute folder of the file at `path`, links not resolved.
std::string FolderOfFile(const std::string& path);

}  // namespace fsload

#endif  // FSLOAD_LOADER_LIBRARIES_SEARCH_PATH_H_
