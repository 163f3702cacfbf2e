// DT_RPATH and DT_RUNPATH: lists of folders with names that the dynamic linker
// expands.
#pragma once

#include <cstddef>
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

// Real lists have at most a dozen folders; a hostile one would cost as many
// opens for each library.
inline constexpr size_t kMaxFolders = 256;

// Returns the folders of a list separated by colons, expanded; an empty one is
// ".". Of a list that has more than kMaxFolders, the first kMaxFolders + 1.
std::vector<std::string> FoldersOf(std::string_view list,
                                   const DynamicStrings& strings);

// Returns the absolute folder of the file at `path`, links not resolved.
std::string FolderOfFile(const std::string& path);

}  // namespace fsload
