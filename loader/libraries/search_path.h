// DT_RPATH and DT_RUNPATH: lists of folders, with names that the dynamic linker
// fills in.
#ifndef FSLOAD_LOADER_LIBRARIES_SEARCH_PATH_H_
#define FSLOAD_LOADER_LIBRARIES_SEARCH_PATH_H_

#include <string>
#include <string_view>
#include <vector>

namespace fsload {

// What stands for $ORIGIN, $LIB and $PLATFORM.
struct DynamicStrings {
  std::string origin;
  std::string library;
  std::string platform;
};

// `text` with those names, in braces or without, filled in.
std::string Expand(std::string_view text, const DynamicStrings& strings);

// The folders of a list with colons, filled in; an empty one is ".". No more
// than a real list has.
std::vector<std::string> FoldersOf(std::string_view list,
                                   const DynamicStrings& strings);

// The folder of the file at `path`, from the root on, links as they are.
std::string FolderOfFile(const std::string& path);

}  // namespace fsload

#endif  // FSLOAD_LOADER_LIBRARIES_SEARCH_PATH_H_
