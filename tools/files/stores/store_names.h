// What schemes of stores make of odd names: facts of their plugins, which no
// operation tells.
#ifndef FSLOAD_TOOLS_FILES_STORES_STORE_NAMES_H_
#define FSLOAD_TOOLS_FILES_STORES_STORE_NAMES_H_

#include <string>
#include <string_view>

#include "fsload/file_system.h"

namespace fsload {

enum class StoreKind {
  kUnknown,
  // Keys and nothing else: what is missing is NOT_FOUND when it is read.
  kObjects,
  // Directories, as on a disk. The host may be missing: "hdfs:///f" is a file
  // of the server that the plugin's configuration names.
  kDirectories,
};

struct StoreNames {
  std::string_view scheme;
  StoreKind kind = StoreKind::kUnknown;

  // A request for "a//b" goes to "a/b", which is another object, and a listing
  // of "a" leaves out that there is something below "a//".
  bool merges_slashes = false;
};

// Those of `scheme`; the defaults where nothing is known of it.
const StoreNames& NamesOfStore(std::string_view scheme);

// Whether the plugin's paths name a host too, as those of object stores do: a
// file and a directory may then have one path, and "." and ".." are names.
bool KeepsHost(const FileSystem& file_system, const std::string& uri);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_STORES_STORE_NAMES_H_
