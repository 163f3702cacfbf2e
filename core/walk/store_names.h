// How the plugins of stores treat odd names: facts about them that no operation
// tells.
#pragma once

#include <string>
#include <string_view>

#include "fsload/file_system.h"

namespace fsload {

enum class StoreKind {
  kUnknown,
  // Keys only: reading a missing one is NOT_FOUND.
  kObjects,
  // Directories, as on a disk. The host may be missing: "hdfs:///f" is a file
  // on the server that the plugin's configuration names.
  kDirectories,
};

struct StoreNames {
  std::string_view scheme;
  StoreKind kind = StoreKind::kUnknown;

  // What the host is, without which a URI names nothing; "" if it may be
  // missing.
  std::string_view host = {};

  // The command of another tool that lists buckets: no plugin of a store does.
  std::string_view bucket_lister = {};

  // A request for "a//b" goes to "a/b", which is another object.
  bool merges_slashes = false;

  // A listing of "a" omits what is below "a//".
  bool omits_empty_names = false;

  // Where an object and a directory have one name, stat describes the object.
  bool file_hides_directory = false;
};

// Returns the entry of `scheme`, or of the plugin's scheme that it is a name
// of; defaults if the scheme is unknown.
const StoreNames& NamesOfStore(std::string_view scheme);

// Returns whether the plugin's paths include a host, as those of object stores
// do: a file and a directory may then share a path, and "." and ".." are names.
bool KeepsHost(const FileSystem& file_system, const std::string& uri);

// Does the same, but for stores that are known to have directories as a disk.
bool HasObjects(const FileSystem& file_system, const std::string& uri);

}  // namespace fsload
